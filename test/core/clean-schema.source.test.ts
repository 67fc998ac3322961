import { describe, expect, it } from 'vitest';
import { cleanSchema } from '../../packages/shim/src/core/clean-schema.ts';
import type { Json } from '../support/json.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const MAX = Number.MAX_SAFE_INTEGER;
const of = (field: unknown): Json => ({ $schema: DIALECT, type: 'object', properties: { f: field } });

describe('[A6] [F36] a schema that a generator wrote', () => {
  it('keeps what a form has, and nothing else', () => {
    const generated = {
      $schema: DIALECT,
      $id: 'https://a.example/schema',
      title: 'T',
      description: 'D',
      examples: [],
      type: 'object',
      properties: { f: { type: 'string' } },
      required: ['f'],
      additionalProperties: false,
    };
    expect(cleanSchema(generated)).toStrictEqual({
      type: 'object',
      title: 'T',
      description: 'D',
      properties: { f: { type: 'string' } },
      required: ['f'],
    });
  });

  it('is not changed itself', () => {
    const generated = of({ type: 'integer', minimum: -MAX, examples: [1] });
    cleanSchema(generated);
    expect(generated).toStrictEqual(of({ type: 'integer', minimum: -MAX, examples: [1] }));
  });

  it.each<[string, Json, Json]>([
    [
      'every keyword of a text',
      { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 2, default: 'x' },
      { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 2, default: 'x' },
    ],
    [
      'the pattern of a format, which a validator needs',
      { type: 'string', format: 'email', pattern: '^.+@.+$' },
      { type: 'string', format: 'email' },
    ],
    [
      'the limits of a safe integer, which everybody has',
      { type: 'integer', minimum: -MAX, maximum: MAX },
      { type: 'integer' },
    ],
    ['a bound beside such a limit', { type: 'integer', minimum: 1, maximum: MAX }, { type: 'integer', minimum: 1 }],
    ['such a limit of a number', { type: 'number', minimum: -MAX }, { type: 'number', minimum: -MAX }],
    ['such a default', { type: 'integer', default: MAX }, { type: 'integer', default: MAX }],
    ['a single text to choose from', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
    ['choices', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'titled choices',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    ],
    [
      'choices with names',
      { type: 'string', enum: ['a'], enumNames: ['A'] },
      { type: 'string', enum: ['a'], enumNames: ['A'] },
    ],
    [
      'several choices',
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a'], examples: ['a'] } },
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a'] } },
    ],
    [
      'several choices out of one',
      { type: 'array', items: { type: 'string', const: 'a' } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      'several titled choices',
      { type: 'array', items: { type: 'string', anyOf: [{ const: 'a', title: 'A' }] } },
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    ],
    [
      'annotations',
      { type: 'boolean', readOnly: true, deprecated: true, examples: [true], $comment: 'c', 'x-mine': 1 },
      { type: 'boolean' },
    ],
    ['members that are undefined', { type: 'string', pattern: undefined, title: undefined }, { type: 'string' }],
  ])('has %s as a form says it', (_, field, clean) => {
    expect(cleanSchema(of(field))).toStrictEqual({ type: 'object', properties: { f: clean } });
  });

  it.each(['$defs', 'definitions'])('finds what is shared under %s', (shared) => {
    const schema = { ...of({ $ref: `#/${shared}/Name`, title: 'T' }), [shared]: { Name: { type: 'string' } } };
    expect(cleanSchema(schema)).toStrictEqual({ type: 'object', properties: { f: { type: 'string', title: 'T' } } });
  });

  it.each(['x#/$defs/Name', '#/$defs/Name/more', '#/$defs/Other', ['#/$defs/Name']])(
    'does not take %j for what is shared',
    ($ref) => {
      const schema = { ...of({ $ref }), $defs: { Name: { type: 'string' }, undefined: { type: 'string' } } };
      expect(() => cleanSchema(schema)).toThrow('a form cannot say a shared definition');
    },
  );

  it.each(['__proto__', 'constructor'])('may have a field named %s', (name) => {
    const { properties } = cleanSchema(JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`));
    expect(Object.entries(properties)).toStrictEqual([[name, { type: 'string' }]]);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });
});

describe('[A4] [F35] what a form cannot say', () => {
  const SAY = 'field "f": a form cannot say';
  const LONG = 'field "f": its default must have at most 1 characters, got "xy"';
  const NO_TYPE = 'field "f": type must be string, number, integer, boolean or array';
  it.each<[string, unknown, string]>([
    ['a pattern', { type: 'string', pattern: '^a' }, `${SAY} a regular expression`],
    ['the pattern of another format', { type: 'string', format: 'uuid', pattern: '^a' }, `${SAY} a regular expression`],
    [
      'another format',
      { type: 'string', format: 'uuid' },
      'field "f": format must be email, uri, date or date-time, got "uuid"',
    ],
    ['a union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, `${SAY} a union`],
    ['a union of types', { type: ['string', 'null'] }, `${SAY} a union`],
    ['an intersection', { type: 'string', allOf: [{ pattern: 'a' }] }, `${SAY} an intersection`],
    ['a negation', { type: 'string', not: {} }, `${SAY} a negation`],
    [
      'an exclusive minimum',
      { type: 'number', exclusiveMinimum: 0 },
      `${SAY} an exclusive bound (give an inclusive one)`,
    ],
    [
      'an exclusive maximum',
      { type: 'integer', exclusiveMaximum: 9 },
      `${SAY} an exclusive bound (give an inclusive one)`,
    ],
    ['a step', { type: 'integer', multipleOf: 5 }, `${SAY} a step`],
    ['a nested object', { type: 'object', properties: {} }, `${SAY} a nested object (it is flat)`],
    ['a record', { type: 'object', additionalProperties: { type: 'string' } }, `${SAY} a nested object`],
    ['a nested object of any members', { type: 'object' }, `${NO_TYPE}, got "object"`],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, `${SAY} a tuple`],
    ['that items differ', { type: 'array', uniqueItems: true, items: { enum: ['a'] } }, `${SAY} that items differ`],
    ['a constant number', { type: 'number', const: 5 }, `${SAY} a constant that is no text`],
    ['a shared definition', { $ref: '#/$defs/Name' }, `${SAY} a shared definition`],
    ['anything', {}, `${NO_TYPE}, got undefined`],
    ['nothing', { type: 'null' }, `${NO_TYPE}, got "null"`],
    ['a field that is no schema', true, 'field "f": must be a JSON Schema object, got true'],
    ['more beside choices', { type: 'array', items: { anyOf: [], allOf: [] } }, `${SAY} "allOf" beside anyOf`],
    ['choices said twice', { type: 'array', items: { anyOf: [], enum: ['a'] } }, `${SAY} "enum" beside anyOf`],
    ['a text beside choices', { type: 'string', const: 'a', enum: ['b'] }, `${SAY} a constant that is no text`],
    ['a default too long', { type: 'string', maxLength: 1, default: 'xy' }, LONG],
    ['any texts', { type: 'array', items: { type: 'string' } }, `${SAY} a list of anything but choices`],
    ['a list of numbers', { type: 'array', items: { type: 'number' } }, `${SAY} a list of anything but choices`],
    [
      'a list of objects',
      { type: 'array', items: { type: 'object', properties: {} } },
      `${SAY} a list of anything but choices`,
    ],
    [
      'a pattern of the choices',
      { type: 'array', items: { enum: ['a'], pattern: 'a' } },
      `${SAY} a regular expression`,
    ],
    ['any list', { type: 'array' }, 'field "f": items must give the choices of a multiple choice, got undefined'],
    [
      'items that are no schema',
      { type: 'array', items: false },
      'field "f": items must give the choices of a multiple choice, got false',
    ],
    ['choices of numbers', { type: 'number', enum: [1, 2] }, 'field "f": a form cannot say "enum" of a number field'],
    [
      'a default of another type',
      { type: 'string', default: 5 },
      'field "f": default must be of the type of the field, got 5',
    ],
  ])('is a TypeError that names the field: %s', (_, field, problem) => {
    expect(() => cleanSchema(of(field))).toThrow(new TypeError(`This schema cannot be a form: ${problem}`));
  });

  it.each([
    ['contains', { type: 'array', contains: {} }],
    ['maxContains', { type: 'array', maxContains: 1 }],
    ['if', { type: 'string', if: {} }],
    ['additionalItems', { type: 'array', additionalItems: false }],
    ['contentEncoding', { type: 'string', contentEncoding: 'base64' }],
    ['propertyNames', { type: 'object', propertyNames: {} }],
  ])('is a TypeError that names the field and the member: %s', (member, field) => {
    expect(() => cleanSchema(of(field))).toThrow(new TypeError(`This schema cannot be a form: ${SAY} "${member}"`));
  });

  it.each<[string, Json, string]>([
    ['text', { type: 'string' }, 'requestedSchema must have type "object", got "string"'],
    ['a union', { anyOf: [{ type: 'object' }] }, 'it must be one flat object'],
    [
      'a union in what it refers to',
      {
        $ref: '#/$defs/F',
        $defs: { F: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] } },
      },
      'it must be one flat object',
    ],
    ['a choice of objects', { type: 'object', oneOf: [] }, 'it must be one flat object'],
    ['an intersection', { type: 'object', properties: {}, allOf: [] }, 'it must be one flat object'],
    [
      'a shared definition that is not there',
      { $ref: '#/$defs/Form', $defs: {} },
      'requestedSchema must have type "object", got undefined',
    ],
    ['an object of any members', { type: 'object' }, 'requestedSchema must have properties, got undefined'],
    [
      'a required field that is none',
      { type: 'object', properties: {}, required: ['g'] },
      'required names "g", which is no field of the form',
    ],
  ])('is a TypeError where it is the whole: %s', (_, schema, problem) => {
    expect(() => cleanSchema(schema)).toThrow(new TypeError(`This schema cannot be a form: ${problem}`));
  });
});
