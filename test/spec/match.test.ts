import { describe, expect, it } from 'vitest';
import { findMismatch, substitute } from './match.ts';

const mismatch = (expected: unknown, actual: unknown) => findMismatch(expected, actual, new Map());

describe('the matchers of the wire vectors', () => {
  it('match a subset of the members', () => {
    expect(mismatch({ a: 1 }, { a: 1, b: 2 })).toBeUndefined();
    expect(mismatch({ a: 1, b: 2 }, { a: 1 })).toBe('$.b: undefined is not 2');
  });

  it('match arrays element by element and by length', () => {
    expect(mismatch([{ a: 1 }], [{ a: 1, b: 2 }])).toBeUndefined();
    expect(mismatch([1], [1, 2])).toBe('$: [1,2]');
    expect(mismatch([1, 2], [1, 3])).toBe('$[1]: 3 is not 2');
  });

  it('never compare error.message', () => {
    expect(mismatch({ error: { code: 1, message: 'x' } }, { error: { code: 1, message: 'y' } })).toBeUndefined();
  });

  it('tell absent from present and name types', () => {
    expect(mismatch({ a: { $absent: true } }, {})).toBeUndefined();
    expect(mismatch({ a: { $absent: true } }, { a: null })).toBe('$.a: null is not {"$absent":true}');
    expect(mismatch({ a: { $any: true } }, {})).toBe('$.a: undefined is not {"$any":true}');
    expect(mismatch({ a: { $any: 'array' } }, { a: {} })).toBe('$.a: {} is not {"$any":"array"}');
    expect(mismatch({ a: { $any: 'object' } }, { a: {} })).toBeUndefined();
  });

  it('choose and search', () => {
    expect(mismatch({ $oneOf: [1, 2] }, 2)).toBeUndefined();
    expect(mismatch({ $oneOf: [1, 2] }, 3)).toBe('$: 3 is not {"$oneOf":[1,2]}');
    expect(mismatch({ $contains: 1 }, [2, 1])).toBeUndefined();
    expect(mismatch({ $contains: 1 }, [2])).toBe('$: [2] is not {"$contains":1}');
  });

  it('bind a value, compare with it, and put it into what is sent', () => {
    const bindings = new Map<string, unknown>();
    expect(findMismatch({ id: { $bind: 'I' } }, { id: 'leg' }, bindings)).toBeUndefined();
    expect(findMismatch({ id: { $ref: 'I' } }, { id: 'leg' }, bindings)).toBeUndefined();
    expect(findMismatch({ id: { $ref: 'I' } }, { id: 'other' }, bindings)).toBe('$.id: "other" is not {"$ref":"I"}');
    expect(substitute([{ id: { $ref: 'I' } }], bindings)).toEqual([{ id: 'leg' }]);
    expect(substitute({ id: { $ref: 'I', $append: '-X' } }, bindings)).toEqual({ id: 'leg-X' });
  });
});
