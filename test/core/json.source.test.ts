import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  copyJson,
  DEEPEST,
  definedMembers,
  defineMember,
  describeValue,
  isJsonObject,
  isSameJson,
  ownMember,
} from '../../packages/shim/src/core/json.ts';
import { jsonWith } from './arbitraries.ts';
import { expectQuick, wideObject } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

describe('isJsonObject', () => {
  it.each([[{}], [Object.create(null)], [JSON.parse('{"__proto__":1}')]])('takes the object %j', (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  it.each([[null], [undefined], [[]], ['{}'], [0], [true], [() => ({})]])('refuses %s', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});

describe('ownMember', () => {
  it('reads an own member', () => {
    expect(ownMember({ a: 1 }, 'a')).toBe(1);
  });

  it('reads an own member named __proto__', () => {
    expect(ownMember(JSON.parse('{"__proto__":"mine"}'), '__proto__')).toBe('mine');
  });

  it.each(['__proto__', 'constructor', 'toString'])('never finds %s on the prototype', (name) => {
    expect(ownMember({}, name)).toBeUndefined();
  });
});

describe('defineMember', () => {
  it.each(['plain', '__proto__'])('sets an own %s like any other member', (name) => {
    const object: Record<string, unknown> = {};
    defineMember(object, name, 'mine');
    expect(Object.getOwnPropertyDescriptors(object)).toStrictEqual({
      ...JSON.parse(
        `{"${name}":${JSON.stringify({ value: 'mine', enumerable: true, configurable: true, writable: true })}}`,
      ),
    });
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });
});

describe('copyJson', () => {
  it('copies whatever JSON has, and shares none of it', () => {
    const json = jsonWith(['a', '__proto__']);
    fc.assert(
      fc.property(json, (value) => {
        const before = JSON.stringify(value);
        const copy = copyJson(value);
        expect(JSON.stringify(copy)).toBe(before);
        for (const part of partsOf(copy)) if (typeof part === 'object' && part !== null) clear(part);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('copies what is as deep as JSON can be', () => {
    let copy = copyJson(nested(200_000, [], (inner) => [inner])) as unknown[];
    let levels = 0;
    for (; copy.length > 0; copy = copy[0] as unknown[]) levels += 1;
    expect(levels).toBe(200_000);
  });

  it('copies what holds itself, as only memory can', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const copy = copyJson(circle);
    expect(copy).not.toBe(circle);
    expect(copy['self']).toBe(copy);
  });
});

function partsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? [...Object.values(value).flatMap(partsOf), value] : [value];
}

function clear(value: object): void {
  for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key];
}

describe('definedMembers', () => {
  it('leaves out what is undefined, and nothing else', () => {
    expect(definedMembers({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({
      b: null,
      c: 0,
      d: '',
      e: false,
    });
  });
});

/** `inner` in `levels` lists, or in as many objects. */
function nested(levels: number, inner: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('isSameJson', () => {
  it.each([
    ['lists', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
  ])('tells of %s to the deepest level, and of none beyond', (_name, wrap) => {
    const build = (levels: number) => nested(levels, [], wrap);
    expect(isSameJson(build(DEEPEST), build(DEEPEST))).toBe(true);
    expect(isSameJson(build(DEEPEST + 1), build(DEEPEST + 1))).toBe(false);
  });

  it('agrees with the comparison of the texts, members sorted', () => {
    const json = jsonWith(['a', 'b']);
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(isSameJson(left, right)).toBe(sortedText(left) === sortedText(right));
        expect(isSameJson(left, JSON.parse(JSON.stringify(left)))).toBe(true);
      }),
    );
  });

  it('takes no notice of the order of members', () => {
    expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });

  it('counts a member that is undefined as absent, on either side', () => {
    expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { a: null }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [[], {}],
    [{}, []],
    [{ 0: 'a' }, ['a']],
    [null, {}],
    [1, '1'],
    [0, false],
    [{ toString: 1 }, {}],
    [{}, { constructor: 1 }],
  ])('tells %j from %j', (left, right) => {
    expect(isSameJson(left, right)).toBe(false);
  });

  it('does not take an inherited member for an own one', () => {
    expect(isSameJson(JSON.parse('{"toString":1}'), JSON.parse('{"valueOf":1}'))).toBe(false);
    expect(isSameJson(JSON.parse('{"__proto__":{}}'), { x: {} })).toBe(false);
  });

  it('takes time in proportion to the members and the text', () => {
    const big = () => wideObject(50_000, 'x'.repeat(100));
    expect(expectQuick(() => isSameJson(big(), big()))).toBe(true);
  });
});

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${sortedText(member)}`);
  return `{${members.sort().join()}}`;
}

describe('describeValue', () => {
  it.each<[unknown, string]>([
    ['text', '"text"'],
    ['', '""'],
    ['a "quote"', '"a \\"quote\\""'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}..."`],
    [[1, 2], 'an array'],
    [{ a: 1 }, 'an object'],
    [new Date(0), 'an object'],
    [() => 1, 'a function'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [1.5, '1.5'],
    [false, 'false'],
    [12n, '12n'],
    [Symbol('s'), 'Symbol(s)'],
  ])('names %o shortly', (value, name) => {
    expect(describeValue(value)).toBe(name);
  });

  it('shows 60 characters of a megabyte', () => {
    expect(describeValue('x'.repeat(1_000_000))).toHaveLength(65);
  });

  it('does not call what it names', () => {
    const value = { toString: () => 'called', toJSON: () => 'called' };
    expect(describeValue(value)).toBe('an object');
  });
});
