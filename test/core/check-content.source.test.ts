import type { FormField, FormSchema } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { contentIssues, defaultIssue, withDefaults } from '../../packages/shim/src/core/check-content.ts';
import type { Json } from '../support/json.ts';
import { deepObject, expectQuick, wideObject } from './quick.ts';

const withField = (field: unknown): FormSchema => ({ type: 'object', properties: { f: field as FormField } });
const TITLED = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

describe('an answer to a form', () => {
  it.each<[Json, unknown]>([
    [{ type: 'boolean' }, false],
    [{ type: 'number' }, -1.5],
    [{ type: 'number', minimum: 0, maximum: 0 }, 0],
    [{ type: 'integer' }, 3],
    [{ type: 'integer' }, 1e300],
    [{ type: 'integer', minimum: -1.5 }, -1],
    [{ type: 'string' }, ''],
    [{ type: 'string', minLength: 1, maxLength: 1 }, '\u{1f600}'],
    [{ type: 'string', minLength: 2, maxLength: 2 }, '\u{1f600}\u{1f600}'],
    [{ type: 'string', maxLength: 0 }, ''],
    [{ type: 'string', enum: ['a', 'b'] }, 'b'],
    [{ type: 'string', enum: ['a'], enumNames: ['A'] }, 'a'],
    [{ type: 'string', enum: undefined }, 'c'],
    [{ type: 'string', oneOf: TITLED }, 'b'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, []],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 }, ['b', 'b']],
    [{ type: 'array', items: { anyOf: TITLED }, minItems: 2 }, ['b', 'a']],
  ])('that is right passes: %j answered with %j', (field, value) => {
    expect(contentIssues({ f: value }, withField(field))).toStrictEqual([]);
  });

  it.each<[Json, unknown, string]>([
    [{ type: 'boolean' }, 'true', 'must be true or false'],
    [{ type: 'boolean' }, null, 'must be true or false'],
    [{ type: 'number' }, '1', 'must be a number'],
    [{ type: 'number' }, Number.NaN, 'must be a number'],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, 'must be a number'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'integer' }, [1], 'must be a number'],
    [{ type: 'number', minimum: 1 }, 0.5, 'must be at least 1'],
    [{ type: 'integer', maximum: 1 }, 2, 'must be at most 1'],
    [{ type: 'string' }, 1, 'must be text'],
    [{ type: 'string' }, ['a'], 'must be text'],
    [{ type: 'string', minLength: 2 }, '\u{1f600}', 'must have at least 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'must have at most 1 characters'],
    [{ type: 'string', maxLength: 1 }, 'abc', 'must have at most 1 characters'],
    [{ type: 'string', maxLength: 2 }, '\u{1f600}\u{1f600}\u{1f600}', 'must have at most 2 characters'],
    [{ type: 'string', enum: ['a'] }, 'A', 'must be one of the choices offered'],
    [{ type: 'string', enum: ['a'] }, 'toString', 'must be one of the choices offered'],
    [{ type: 'string', enum: ['a'], enumNames: ['A'] }, 'A', 'must be one of the choices offered'],
    [{ type: 'string', oneOf: TITLED }, 'A', 'must be one of the choices offered'],
    [{ type: 'string', oneOf: TITLED }, {}, 'must be text'],
    [{ type: 'array', items: { anyOf: TITLED } }, 'a', 'must be a list of choices'],
    [{ type: 'array', items: { anyOf: TITLED } }, { length: 0 }, 'must be a list of choices'],
    [{ type: 'array', items: { anyOf: TITLED } }, ['a', 'c'], 'must name only choices that are offered'],
    [{ type: 'array', items: { type: 'string', enum: ['1'] } }, [1], 'must name only choices that are offered'],
    [{ type: 'array', items: { anyOf: TITLED }, minItems: 1 }, [], 'must have at least 1'],
    [{ type: 'array', items: { anyOf: TITLED }, maxItems: 1 }, ['a', 'a'], 'must have at most 1'],
  ])('that is wrong has one issue: %j answered with %j', (field, value, message) => {
    expect(contentIssues({ f: value }, withField(field))).toStrictEqual([{ path: 'f', message }]);
  });

  it('lacks what is required', () => {
    const schema: FormSchema = { ...withField({ type: 'string' }), required: ['f'] };
    expect(contentIssues({}, schema)).toStrictEqual([{ path: 'f', message: 'is required' }]);
  });

  it('may lack what is not', () => {
    expect(contentIssues({}, withField({ type: 'string' }))).toStrictEqual([]);
  });

  it('may hold more than was asked', () => {
    expect(contentIssues({ g: 1 }, withField({ type: 'string' }))).toStrictEqual([]);
  });

  it('may hold nothing more where the form says so', () => {
    const closed: FormSchema = { ...withField({ type: 'string' }), additionalProperties: false };
    expect(contentIssues({ f: 'x' }, closed)).toStrictEqual([]);
    expect(contentIssues({ f: 'x', g: 1 }, closed)).toStrictEqual([{ path: 'g', message: 'is no field of the form' }]);
    const open: FormSchema = { ...closed, additionalProperties: true };
    expect(contentIssues({ f: 'x', g: 1 }, open)).toStrictEqual([]);
  });

  it.each([undefined, true, false])('has one issue for a __proto__ where additionalProperties is %s', (more) => {
    const schema: FormSchema = { ...withField({ type: 'string' }), additionalProperties: more };
    const content = JSON.parse('{"__proto__":1}');
    expect(contentIssues(content, schema)).toStrictEqual([{ path: '__proto__', message: 'is no field of the form' }]);
  });

  it('has its issues in one list: what is missing, then what is wrong', () => {
    const schema: FormSchema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'integer' } },
      required: ['c'],
    };
    expect(contentIssues({ a: 1, b: 2 }, schema)).toStrictEqual([
      { path: 'c', message: 'is required' },
      { path: 'a', message: 'must be text' },
      { path: 'b', message: 'must be true or false' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('is read by own members: a field named %s', (name) => {
    const schema = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`);
    expect(contentIssues({}, schema)).toStrictEqual([{ path: name, message: 'is required' }]);
    expect(contentIssues(JSON.parse(`{"${name}":"x"}`), schema)).toStrictEqual([]);
    expect(contentIssues(JSON.parse(`{"${name}":1}`), schema)).toStrictEqual([{ path: name, message: 'must be text' }]);
  });
});

describe('the default of a field', () => {
  it.each<FormField>([{ type: 'integer' }, { type: 'integer', default: 2 }])('has no issue: %j', (field) => {
    expect(defaultIssue(field)).toBeUndefined();
  });

  it('is held against the field like an answer', () => {
    expect(defaultIssue({ type: 'integer', default: 1.5 })).toBe('its default must be a whole number, got 1.5');
  });
});

describe('contentIssues', () => {
  it('reads each member of the content once', () => {
    const fields = wideObject(10_000, { type: 'string', maxLength: 5 }) as FormSchema['properties'];
    const schema: FormSchema = { type: 'object', properties: fields, required: Object.keys(fields) };
    let reads = 0;
    const content = new Proxy(wideObject(10_000, 'text'), {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    expect(contentIssues(content, schema)).toStrictEqual([]);
    expect(reads).toBe(10_000);
  });

  it('reads a member of the form that is undefined as absent', () => {
    const items = { type: 'string', enum: ['a'], anyOf: undefined };
    expect(contentIssues({ f: ['a'] }, withField({ type: 'array', items }))).toStrictEqual([]);
    const choice = { type: 'string', enum: ['a'], oneOf: undefined };
    expect(contentIssues({ f: 'a' }, withField(choice))).toStrictEqual([]);
  });

  it('has one issue for a field that is required twice', () => {
    const schema: FormSchema = { ...withField({ type: 'string' }), required: ['f', 'f'] };
    expect(contentIssues({}, schema)).toStrictEqual([{ path: 'f', message: 'is required' }]);
  });

  it('takes little time for text of a megabyte, 50 000 members and 100 000 levels', () => {
    const text = 'x'.repeat(1_000_000);
    expect(expectQuick(() => contentIssues({ f: text }, withField({ type: 'string', maxLength: 5 })))).toHaveLength(1);
    expect(expectQuick(() => contentIssues({ f: text }, withField({ type: 'string', minLength: 5 })))).toHaveLength(0);
    const list = withField({ type: 'array', items: { anyOf: TITLED } });
    expect(expectQuick(() => contentIssues({ f: Array(100_000).fill('c') }, list))).toHaveLength(1);
    expect(expectQuick(() => contentIssues({ f: deepObject(100_000) }, list))).toHaveLength(1);
    expect(expectQuick(() => contentIssues(wideObject(50_000, text), list))).toHaveLength(0);
  });
});

describe('withDefaults', () => {
  const schema: FormSchema = {
    type: 'object',
    properties: {
      text: { type: 'string', default: 'x' },
      flag: { type: 'boolean', default: false },
      list: { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['a'] },
      bare: { type: 'number' },
    },
  };

  it('fills in what the content lacks', () => {
    expect(withDefaults({}, schema)).toStrictEqual({ text: 'x', flag: false, list: ['a'] });
  });

  it('leaves what the content has, even where it is wrong', () => {
    expect(withDefaults({ text: '', flag: null, list: [] }, schema)).toStrictEqual({ text: '', flag: null, list: [] });
  });

  it('returns the content itself where there is nothing to fill in', () => {
    const content = { text: '', flag: true, list: [] };
    expect(withDefaults(content, schema)).toBe(content);
  });

  it('changes neither the content nor the form', () => {
    const content = Object.freeze({});
    const filled = withDefaults(content, schema);
    (filled['list'] as string[]).push('more');
    expect(schema.properties['list']?.default).toStrictEqual(['a']);
  });

  it.each(['__proto__', 'constructor', 'toString'])('fills in a field named %s as an own member', (name) => {
    const hostile = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string","default":"x"}}}`);
    const filled = withDefaults({}, hostile);
    expect(JSON.stringify(filled)).toBe(`{"${name}":"x"}`);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
  });

  it('keeps a member named __proto__ that the content has', () => {
    expect(
      JSON.stringify(withDefaults(JSON.parse('{"__proto__":1}'), withField({ type: 'string', default: 'x' }))),
    ).toBe('{"__proto__":1,"f":"x"}');
  });
});
