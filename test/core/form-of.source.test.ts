import { describe, expect, it, vi } from 'vitest';
import * as newest from 'zod';
import * as mini from 'zod/mini';
import * as zod3 from 'zod-v3';
import * as subpath from 'zod-v3/v4';
import * as oldest from 'zod-v4-oldest';
import { form } from '../../packages/shim/src/core/form.ts';
import { field } from '../../packages/shim/src/core/form-field.ts';
import { formOf } from '../../packages/shim/src/forms/form-of.ts';
import type { Json } from '../support/json.ts';

/** Every zod that a server may have: here each speaks to the generator of the newest. */
const ZODS = [
  ['zod 4', newest],
  ['the oldest zod 4', oldest as unknown as typeof newest],
  ['zod/v4 of zod 3.25', subpath as unknown as typeof newest],
] as const;

const ADA = 'ada@example.com';

describe.each(ZODS)('[A3] [F35] an object of %s', (_zod, z) => {
  const fieldOf = (schema: newest.ZodType) => {
    const { properties, required = [] } = formOf(z.object({ f: schema }));
    return [properties['f'], required.length > 0];
  };

  it.each<[string, () => newest.ZodType, object, boolean]>([
    ['text', () => z.string(), { type: 'string' }, true],
    ['text of a length', () => z.string().min(1).max(9), { type: 'string', minLength: 1, maxLength: 9 }, true],
    ['an e-mail address', () => z.email(), { type: 'string', format: 'email' }, true],
    ['an e-mail address, as a method', () => z.string().email(), { type: 'string', format: 'email' }, true],
    ['a URL', () => z.url(), { type: 'string', format: 'uri' }, true],
    ['a date', () => z.iso.date(), { type: 'string', format: 'date' }, true],
    ['a date and time', () => z.iso.datetime(), { type: 'string', format: 'date-time' }, true],
    ['a number', () => z.number(), { type: 'number' }, true],
    ['a number in bounds', () => z.number().min(-0.5).max(5), { type: 'number', minimum: -0.5, maximum: 5 }, true],
    ['an integer', () => z.int(), { type: 'integer' }, true],
    ['an integer, as a method', () => z.number().int(), { type: 'integer' }, true],
    ['an integer in bounds', () => z.int().min(1).max(12), { type: 'integer', minimum: 1, maximum: 12 }, true],
    ['a boolean', () => z.boolean(), { type: 'boolean' }, true],
    ['an enum', () => z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }, true],
    ['a literal', () => z.literal('a'), { type: 'string', enum: ['a'] }, true],
    ['literals', () => z.literal(['a', 'b']), { type: 'string', enum: ['a', 'b'] }, true],
    [
      'a list of an enum',
      () => z.array(z.enum(['a', 'b'])),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      true,
    ],
    [
      'a list of an enum in bounds',
      () =>
        z
          .array(z.enum(['a', 'b']))
          .min(1)
          .max(2),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
      true,
    ],
    ['an optional field', () => z.string().optional(), { type: 'string' }, false],
    ['a default', () => z.string().default('x'), { type: 'string', default: 'x' }, false],
    ['an optional field with a default', () => z.int().optional().default(2), { type: 'integer', default: 2 }, false],
    [
      'a default list',
      () => z.array(z.enum(['a'])).default(['a']),
      { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['a'] },
      false,
    ],
    ['a default address', () => z.email().default(ADA), { type: 'string', format: 'email', default: ADA }, false],
    ['a default before it is parsed', () => z.string().prefault('x'), { type: 'string', default: 'x' }, false],
    ['a coercion to a number', () => z.coerce.number().min(1), { type: 'number', minimum: 1 }, true],
    ['a coercion to text', () => z.coerce.string(), { type: 'string' }, true],
    ['a refinement', () => z.string().refine(() => false), { type: 'string' }, true],
    ['a transform', () => z.string().transform((text) => text.length), { type: 'string' }, true],
    ['a pipe', () => z.string().pipe(z.coerce.number()), { type: 'string' }, true],
    ['a brand', () => z.string().brand('x'), { type: 'string' }, true],
  ])('may have %s', (_name, make, schema, isRequired) => {
    expect(fieldOf(make())).toStrictEqual([schema, isRequired]);
  });

  it.each<[string, () => newest.ZodType]>([
    ['a nested object', () => z.object({ a: z.string() })],
    ['a record', () => z.record(z.string(), z.string())],
    ['a regular expression', () => z.string().regex(/a/)],
    ['a prefix', () => z.string().startsWith('a')],
    ['a UUID', () => z.uuid()],
    ['a time of day', () => z.iso.time()],
    ['an exclusive minimum', () => z.number().positive()],
    ['an exclusive maximum', () => z.int().lt(9)],
    ['a step', () => z.number().multipleOf(5)],
    ['a union', () => z.union([z.string(), z.number()])],
    ['null', () => z.string().nullable()],
    ['a literal number', () => z.literal(5)],
    ['any texts', () => z.array(z.string())],
    ['a tuple', () => z.tuple([z.string()])],
    ['a set', () => z.set(z.enum(['a']))],
    ['a Date', () => z.date()],
    ['a coercion to a Date', () => z.coerce.date()],
    ['a bigint', () => z.bigint()],
    ['anything', () => z.any()],
  ])('may not have %s: a TypeError names the field', (_name, make) => {
    const convert = () => formOf(z.object({ fine: z.string(), where: make() }));
    expect(convert).toThrow(TypeError);
    expect(convert).toThrow(/^This schema cannot be a form: field "where": /);
  });

  it('may be strict, refined, transformed and optional as a whole', () => {
    const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const object = z.object({ name: z.string() });
    expect(formOf(z.strictObject({ name: z.string() }))).toStrictEqual(NAME);
    expect(formOf(object.refine(() => false))).toStrictEqual(NAME);
    expect(formOf(object.transform(() => 1))).toStrictEqual(NAME);
    expect(formOf(object.optional())).toStrictEqual(NAME);
  });

  it.each<[string, () => newest.ZodType]>([
    ['text', () => z.string()],
    ['a union', () => z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['a list', () => z.array(z.object({ a: z.string() }))],
  ])('may not be %s as a whole', (_name, make) => {
    expect(() => formOf(make())).toThrow(/^This schema cannot be a form: /);
  });

  it('[A6] [F36] is the same as what its own generator makes of it', () => {
    const schema = z.object({ n: z.int().min(1), m: z.email().optional(), b: z.boolean(), c: z.enum(['a']) });
    const generated = z.toJSONSchema(schema) as object;
    expect(Object.keys(generated).sort()).toStrictEqual(
      ['$schema', 'additionalProperties', 'properties', 'required', 'type'].sort(),
    );
    expect(formOf(generated)).toStrictEqual({
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1 },
        m: { type: 'string', format: 'email' },
        b: { type: 'boolean' },
        c: { type: 'string', enum: ['a'] },
      },
      required: ['n', 'b', 'c'],
    });
    expect(formOf(schema)).toStrictEqual(formOf(generated));
  });
});

describe('[A3] titles and descriptions of zod', () => {
  it('are those of the form, on a field and around one', () => {
    const schema = newest
      .object({
        a: newest.string().meta({ title: 'A', description: 'The first', examples: ['x'] }),
        b: newest.int().optional().meta({ title: 'B' }),
        c: newest.boolean().describe('The third'),
      })
      .meta({ title: 'Form', description: 'To fill in' });
    expect(formOf(schema)).toStrictEqual({
      type: 'object',
      title: 'Form',
      description: 'To fill in',
      properties: {
        a: { type: 'string', title: 'A', description: 'The first' },
        b: { type: 'integer', title: 'B' },
        c: { type: 'boolean', description: 'The third' },
      },
      required: ['a', 'c'],
    });
  });
});

describe('[A3] an object of zod mini', () => {
  it('is a form as well', () => {
    expect(formOf(mini.object({ n: mini.optional(mini.int()) }))).toStrictEqual({
      type: 'object',
      properties: { n: { type: 'integer' } },
    });
  });
});

describe('[A6] any Standard Schema that can give its JSON Schema', () => {
  const standard = (members: object) => ({
    kind: 'object',
    '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }), ...members },
  });

  it('is asked for its input, once, and cleaned', () => {
    const input = vi.fn(() => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { name: { type: 'string', examples: ['Ada'] } },
      required: ['name'],
    }));
    const output = vi.fn();
    const schema = standard({ jsonSchema: { input, output } });
    const asked = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect(formOf(schema)).toStrictEqual(asked);
    expect(formOf(schema)).toStrictEqual(asked);
    expect(input.mock.calls).toStrictEqual([[{ target: 'draft-2020-12' }]]);
    expect(output).not.toHaveBeenCalled();
  });

  it('is refused by the field where it says what a form cannot', () => {
    const input = () => ({ type: 'object', properties: { f: { type: 'string', pattern: 'a' } } });
    expect(() => formOf(standard({ jsonSchema: { input } }))).toThrow(
      new TypeError('This schema cannot be a form: field "f": a form cannot say a regular expression'),
    );
  });

  it.each<[string, object]>([
    ['zod 3', zod3.object({ name: zod3.string() })],
    ['a schema without jsonSchema', standard({})],
    ['a jsonSchema without input', standard({ jsonSchema: { output: () => ({}) } })],
    ['a jsonSchema that is no object', standard({ jsonSchema: true })],
    ['a ~standard that is no object', { '~standard': true }],
  ])('is refused where it only validates: %s', (_name, schema) => {
    expect(() => formOf(schema)).toThrow(
      new TypeError(
        'requestedSchema must be a zod object (zod 4, or zod/v4 of zod 3.25), form() or JSON Schema, ' +
          'got a schema that only validates',
      ),
    );
  });
});

describe('a schema that is asked again', () => {
  it('is converted once', () => {
    const schema = newest.object({ name: newest.string() });
    expect(formOf(schema)).toBe(formOf(schema));
  });

  it('cannot be changed by who was given it', () => {
    const made = formOf(newest.object({ f: newest.array(newest.enum(['a'])).default(['a']), s: newest.literal('x') }));
    const parts = [made, made.properties, ...Object.values(made.properties), made.required];
    expect(parts.map((part) => Object.isFrozen(part))).toStrictEqual(parts.map(() => true));
    const { f, s } = made.properties as Json;
    const deep = [f.items, f.items.enum, f.default, s.enum];
    expect(deep.map((part) => Object.isFrozen(part))).toStrictEqual([true, true, true, true]);
  });
});

describe('a plain schema that names its dialect', () => {
  const plain = () => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { f: { type: 'string', enum: ['a'] } },
    required: ['f'],
  });

  it('may be changed between two questions', () => {
    const schema = plain();
    expect(formOf(schema).properties).toStrictEqual({ f: { type: 'string', enum: ['a'] } });
    schema.properties.f.enum.push('b');
    expect(formOf(schema).properties).toStrictEqual({ f: { type: 'string', enum: ['a', 'b'] } });
  });

  it('is not frozen, nor is any part of it', () => {
    const schema = plain();
    formOf(schema);
    const parts = [schema, schema.properties, schema.properties.f, schema.properties.f.enum, schema.required];
    expect(parts.map((part) => Object.isFrozen(part))).toStrictEqual(parts.map(() => false));
  });
});

describe('what is plain already', () => {
  it.each<[unknown]>([
    [form({ f: field.string() })],
    [{ type: 'object', properties: { f: { type: 'string' } } }],
    [{ type: 'object', properties: { f: { type: 'string', pattern: 'a' } }, additionalProperties: false }],
    [undefined],
    [null],
    ['schema'],
    [[]],
    [{}],
  ])('is handed back as it is, to be checked when it is asked: %j', (given) => {
    expect(formOf(given)).toBe(given);
    if (typeof given === 'object' && given !== null) expect(Object.isFrozen(given)).toBe(false);
  });
});
