import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { formProblem } from '../../packages/shim/src/core/check-form.ts';
import type { Json } from '../support/json.ts';
import { form, HOSTILE_NAMES, jsonWith } from './arbitraries.ts';
import { expectQuick, wideObject } from './quick.ts';
import { validatorFor } from './spec-schemas.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const withField = (field: unknown): Json => ({ type: 'object', properties: { f: field } });
const CHOICES = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

describe('a form', () => {
  it.each<[string, unknown]>([
    ['without fields', { type: 'object', properties: {} }],
    [
      'with $schema, title, description',
      { $schema: 's', type: 'object', properties: {}, title: 't', description: 'd' },
    ],
    ['that a generator closed', { type: 'object', properties: {}, additionalProperties: false }],
    ['with a required field', { ...withField({ type: 'string' }), required: ['f'] }],
    ['with required undefined', { ...withField({ type: 'string' }), required: undefined }],
  ])('%s is right', (_name, schema) => {
    expect(formProblem(schema)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'requestedSchema must be a zod object, form() or JSON Schema, got undefined'],
    [null, 'requestedSchema must be a zod object, form() or JSON Schema, got null'],
    ['object', 'requestedSchema must be a zod object, form() or JSON Schema, got "object"'],
    [[], 'requestedSchema must be a zod object, form() or JSON Schema, got an array'],
    [{}, 'requestedSchema must have type "object", got undefined'],
    [{ type: 'string' }, 'requestedSchema must have type "object", got "string"'],
    [{ type: ['object'], properties: {} }, 'requestedSchema must have type "object", got an array'],
    [{ type: 'object' }, 'requestedSchema must have properties, got undefined'],
    [{ type: 'object', properties: [] }, 'requestedSchema must have properties, got an array'],
    [
      { type: 'object', properties: {}, allOf: [] },
      'a form cannot say "allOf"; it has type, properties and required only',
    ],
    [{ $schema: 7, type: 'object', properties: {} }, '$schema must be a string'],
    [{ type: 'object', title: 7, properties: {} }, 'title must be a string'],
    [{ type: 'object', properties: {}, required: 'f' }, 'required must be a list of field names'],
    [{ type: 'object', properties: {}, required: [1] }, 'required must be a list of field names'],
    [{ type: 'object', properties: {}, required: null }, 'required must be a list of field names'],
    [{ type: 'object', properties: {}, required: ['g'] }, 'required names "g", which is no field of the form'],
    [
      { type: 'object', properties: {}, required: ['toString'] },
      'required names "toString", which is no field of the form',
    ],
    [
      { type: 'object', properties: {}, required: ['__proto__'] },
      'required names "__proto__", which is no field of the form',
    ],
    [
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}}}'),
      'field "__proto__": type must be string, number, integer, boolean or array, got "null"',
    ],
  ])('is refused: %j, saying: %s', (schema, problem) => {
    expect(formProblem(schema)).toBe(problem);
  });
});

describe('a field', () => {
  it.each<[Json]>([
    [{ type: 'string' }],
    [{ type: 'string', title: 't', description: 'd', default: 'x', minLength: 0, maxLength: 0 }],
    [{ type: 'string', minLength: 2, maxLength: 2, format: undefined }],
    [{ type: 'string', format: 'email' }],
    [{ type: 'string', format: 'uri' }],
    [{ type: 'string', format: 'date' }],
    [{ type: 'string', format: 'date-time' }],
    [{ type: 'string', pattern: undefined }],
    [{ type: 'number', minimum: -1.5, maximum: -1.5, default: 0.5 }],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991, default: 3 }],
    [{ type: 'integer', minimum: 0.5 }],
    [{ type: 'boolean', default: false }],
    [{ type: 'string', enum: ['a', 'b'], default: 'a' }],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }],
    [{ type: 'string', enum: [''] }],
    [{ type: 'string', oneOf: CHOICES, default: 'b' }],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 0, maxItems: 3, default: ['a'] }],
    [{ type: 'array', items: { anyOf: CHOICES }, default: [] }],
    [{ type: 'array', items: { type: 'string', anyOf: CHOICES } }],
    [{ type: 'string', enum: ['a'], default: 'not offered: an answer to correct, no malformed question' }],
  ])('is right: %j', (field) => {
    expect(formProblem(withField(field))).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [null, 'must be a JSON Schema object, got null'],
    [true, 'must be a JSON Schema object, got true'],
    [[], 'must be a JSON Schema object, got an array'],
    [{}, 'type must be string, number, integer, boolean or array, got undefined'],
    [{ type: 'object', properties: {} }, 'type must be string, number, integer, boolean or array, got "object"'],
    [{ type: ['string', 'null'] }, 'type must be string, number, integer, boolean or array, got an array'],
    [{ type: ['string'] }, 'type must be string, number, integer, boolean or array, got an array'],
    [{ type: 'toString' }, 'type must be string, number, integer, boolean or array, got "toString"'],
    [{ type: '__proto__' }, 'type must be string, number, integer, boolean or array, got "__proto__"'],
    [{ type: 'string', pattern: 'x' }, 'a form cannot say "pattern" of a string field'],
    [{ type: 'string', minimum: 1 }, 'a form cannot say "minimum" of a string field'],
    [{ type: 'string', const: 'x' }, 'a form cannot say "const" of a string field'],
    [{ type: 'number', multipleOf: 2 }, 'a form cannot say "multipleOf" of a number field'],
    [{ type: 'integer', exclusiveMinimum: 0 }, 'a form cannot say "exclusiveMinimum" of a integer field'],
    [{ type: 'integer', enum: ['1'] }, 'a form cannot say "enum" of a integer field'],
    [{ type: 'boolean', enum: ['yes'] }, 'a form cannot say "enum" of a boolean field'],
    [{ type: 'array', uniqueItems: true }, 'a form cannot say "uniqueItems" of a array field'],
    [{ type: 'string', title: 1 }, 'title must be a string'],
    [{ type: 'string', description: null }, 'description must be a string'],
    [{ type: 'string', format: 'uuid' }, 'format must be email, uri, date or date-time, got "uuid"'],
    [{ type: 'string', format: 1 }, 'format must be email, uri, date or date-time, got 1'],
    [{ type: 'string', format: ['email'] }, 'format must be email, uri, date or date-time, got an array'],
    [{ type: 'string', minLength: -1 }, 'minLength must be a whole number >= 0, got -1'],
    [{ type: 'string', maxLength: 1.5 }, 'maxLength must be a whole number >= 0, got 1.5'],
    [{ type: 'string', minLength: '1' }, 'minLength must be a whole number >= 0, got "1"'],
    [{ type: 'string', minLength: 2, maxLength: 1 }, 'minLength is above maxLength'],
    [{ type: 'array', minItems: null }, 'minItems must be a whole number >= 0, got null'],
    [{ type: 'array', minItems: 3, maxItems: 2 }, 'minItems is above maxItems'],
    [{ type: 'number', minimum: '0' }, 'minimum must be a number, got "0"'],
    [{ type: 'number', maximum: Number.NaN }, 'maximum must be a number, got NaN'],
    [{ type: 'number', maximum: Number.POSITIVE_INFINITY }, 'maximum must be a number, got Infinity'],
    [{ type: 'integer', minimum: 2, maximum: 1 }, 'minimum is above maximum'],
    [{ type: 'string', enum: [] }, 'enum must be a list of at least one string'],
    [{ type: 'string', enum: 'a' }, 'enum must be a list of at least one string'],
    [{ type: 'string', enum: [1] }, 'enum must be a list of at least one string'],
    [{ type: 'string', enum: null }, 'enum must be a list of at least one string'],
    [{ type: 'string', enum: ['a', 'a'] }, 'enum names a choice twice'],
    [{ type: 'string', enumNames: ['A'] }, 'enumNames needs enum'],
    [{ type: 'string', enum: ['a'], enumNames: [] }, 'enumNames must be a list of strings, as long as enum'],
    [{ type: 'string', enum: ['a'], enumNames: [1] }, 'enumNames must be a list of strings, as long as enum'],
    [{ type: 'string', enum: ['a'], oneOf: CHOICES }, 'give the choices as enum or as oneOf, not both'],
    [{ type: 'string', enum: ['a'], minLength: 2 }, 'minLength does not go with choices'],
    [{ type: 'string', enum: ['a'], format: 'email' }, 'format does not go with choices'],
    [{ type: 'string', oneOf: CHOICES, maxLength: 0 }, 'maxLength does not go with choices'],
    [{ type: 'string', oneOf: CHOICES, enumNames: ['A', 'B'] }, 'enumNames does not go with oneOf'],
    [{ type: 'string', oneOf: {} }, 'oneOf must be a list of { const, title }'],
    [{ type: 'string', oneOf: [] }, 'oneOf must be a list of at least one string'],
    [{ type: 'string', oneOf: [{ const: 'a' }] }, 'every entry of oneOf must be { const, title }, both strings'],
    [{ type: 'string', oneOf: [null] }, 'every entry of oneOf must be { const, title }, both strings'],
    [
      { type: 'string', oneOf: [{ const: 'a', title: 5 }] },
      'every entry of oneOf must be { const, title }, both strings',
    ],
    [
      { type: 'string', oneOf: [{ const: 1, title: 'A' }] },
      'every entry of oneOf must be { const, title }, both strings',
    ],
    [
      { type: 'string', oneOf: [{ const: 'a', title: 'A', maxLength: 0 }] },
      'every entry of oneOf must be { const, title }, both strings',
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A', type: 'number' }] } },
      'every entry of anyOf must be { const, title }, both strings',
    ],
    [{ type: 'string', oneOf: [CHOICES[0], CHOICES[0]] }, 'oneOf names a choice twice'],
    [{ type: 'array' }, 'items must give the choices of a multiple choice, got undefined'],
    [{ type: 'array', items: [] }, 'items must give the choices of a multiple choice, got an array'],
    [{ type: 'array', items: { type: 'string' } }, 'enum must be a list of at least one string'],
    [{ type: 'array', items: { enum: ['a'] } }, 'items must have type "string", got undefined'],
    [{ type: 'array', items: { type: 'number', enum: ['1'] } }, 'items must have type "string", got "number"'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'a'] } }, 'enum names a choice twice'],
    [{ type: 'array', items: { type: 'string', enum: ['a'], minLength: 1 } }, 'a form cannot say "minLength" of items'],
    [{ type: 'array', items: { enum: ['a'], anyOf: CHOICES } }, 'give enum or anyOf, not both'],
    [{ type: 'array', items: { anyOf: 'a' } }, 'anyOf must be a list of { const, title }'],
    [{ type: 'array', items: { anyOf: ['a'] } }, 'every entry of anyOf must be { const, title }, both strings'],
    [{ type: 'string', enum: null, enumNames: ['A'] }, 'enum must be a list of at least one string'],
    [{ type: 'array', items: { type: 'number', anyOf: CHOICES } }, 'items must have type "string", got "number"'],
    [{ type: 'number', default: Number.NaN }, 'default must be of the type of the field, got NaN'],
    [{ type: 'number', default: Number.POSITIVE_INFINITY }, 'default must be of the type of the field, got Infinity'],
    [{ type: 'string', default: 1 }, 'default must be of the type of the field, got 1'],
    [{ type: 'string', default: null }, 'default must be of the type of the field, got null'],
    [{ type: 'number', default: '1' }, 'default must be of the type of the field, got "1"'],
    [{ type: 'integer', default: 1.5 }, 'default must be of the type of the field, got 1.5'],
    [{ type: 'boolean', default: 'true' }, 'default must be of the type of the field, got "true"'],
    [{ type: 'array', items: { anyOf: CHOICES }, default: 'a' }, 'default must be of the type of the field, got "a"'],
    [
      { type: 'array', items: { anyOf: CHOICES }, default: [1] },
      'default must be of the type of the field, got an array',
    ],
  ])('is refused: %j, saying: %s', (field, problem) => {
    expect(formProblem(withField(field))).toBe(`field "f": ${problem}`);
  });

  it('counts a member that is undefined as absent', () => {
    const items = { type: 'string', enum: ['a'], minLength: undefined, anyOf: undefined };
    const field = { type: 'array', items, pattern: undefined, title: undefined, minItems: undefined };
    expect(formProblem({ ...withField(field), required: undefined, allOf: undefined })).toBeUndefined();
  });

  it.each([...HOSTILE_NAMES])('may be named %s', (name) => {
    expect(formProblem(JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`))).toBeUndefined();
    expect(
      formProblem(JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`)),
    ).toBeUndefined();
  });
});

describe('formProblem', () => {
  it('takes every form that the specification has', () => {
    fc.assert(
      fc.property(form, (schema) => {
        expect(formProblem(schema)).toBeUndefined();
      }),
    );
  });

  it('takes no form that the specification has not', () => {
    const isSpecified = validatorFor('2026-07-28', 'ElicitRequestFormParams');
    const member = fc.constantFrom('type', 'items', 'enum', 'enumNames', 'oneOf', 'default', 'minLength', 'maximum');
    const anyValue = jsonWith(['type', 'enum', 'anyOf', 'const', 'title']);
    const broken = fc.tuple(form, member, anyValue).map(([schema, name, value]) => {
      const fields = Object.entries(schema.properties).map(([key, field]) => [key, { ...field, [name]: value }]);
      return { ...schema, properties: Object.fromEntries(fields) };
    });
    fc.assert(
      fc.property(broken, (requestedSchema) => {
        if (callOrMessage(() => formProblem(requestedSchema)) !== undefined) return;
        expect(isSpecified({ message: 'm', requestedSchema })).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes time in proportion to the form', () => {
    const fields = wideObject(20_000, { type: 'string', description: 'x'.repeat(1_000) });
    const schema = { type: 'object', properties: fields, required: Object.keys(fields) };
    expect(expectQuick(() => formProblem(schema))).toBeUndefined();
    const choices = Object.keys(wideObject(50_000, 1));
    expect(expectQuick(() => formProblem(withField({ type: 'string', enum: choices })))).toBeUndefined();
  });
});

function callOrMessage(run: () => string | undefined): string | undefined {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}
