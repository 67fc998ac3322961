import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../packages/shim/src/core/canonical-json.ts';
import { deepObject } from './quick.ts';

/** The number whose IEEE 754 bits are `hex`. */
const numberOf = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE();

/** An array in an array, `levels` of them, around 1. */
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);

describe('[Q4d] canonical JSON', () => {
  it('is that of the sample of RFC 8785, section 3.2.2', () => {
    const sample = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('has its members in the order of their UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(sample)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('has the members of inner objects in order too, and the entries of a list as they are', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 'b', 'a'], a: { z: {}, y: [] } })).toBe(
      '{"a":{"y":[],"z":{}},"b":[{"c":2,"d":1},"b","a"]}',
    );
  });

  it('has the members that look like numbers in the order of their text', () => {
    expect(canonicalJson({ 10: 'a', 9: 'b', 1: 'c' })).toBe('{"1":"c","10":"a","9":"b"}');
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('has the number %s as %s (RFC 8785, appendix B)', (hex, text) => {
    expect(canonicalJson(numberOf(hex))).toBe(text);
  });

  it.each([
    ['a control character', '\u0000\u001f', '"\\u0000\\u001f"'],
    ['the short escapes', '\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
    ['a quote and a backslash', '"\\', '"\\"\\\\"'],
    ['nothing else', '/\u007f\u2028é', '"/\u007f\u2028é"'],
  ])('escapes %s', (_name, value, text) => {
    expect(canonicalJson(value)).toBe(text);
    expect(canonicalJson({ [value]: 1 })).toBe(`{${text}:1}`);
  });

  it.each<[unknown, string]>([
    [null, 'null'],
    [true, 'true'],
    [false, 'false'],
    ['', '""'],
    [[], '[]'],
    [{}, '{}'],
    [[[], [null]], '[[],[null]]'],
  ])('has %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('leaves out a member that is undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('has own members only, whatever their name', () => {
    expect(canonicalJson(JSON.parse('{"toString":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"toString":1}');
    expect(canonicalJson(Object.create({ inherited: 1 }))).toBe('{}');
  });

  it('is the same for the same value, whatever the order of its members', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('is JSON for the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('[Q4e] the depth of a value', () => {
  it('may be 512 levels', () => {
    expect(canonicalJson(nested(512))).toBe(JSON.stringify(nested(512)));
  });

  it('may not be 513 levels, in lists', () => {
    expect(() => canonicalJson(nested(513))).toThrow(
      new RangeError('A JSON value must be nested at most 512 levels deep'),
    );
  });

  it('may not be 513 levels, in objects', () => {
    expect(canonicalJson(deepObject(512))).toHaveLength(512 * 6 + 1);
    expect(() => canonicalJson(deepObject(513))).toThrow(RangeError);
  });

  it('is told of 100 000 levels as of 513', () => {
    expect(() => canonicalJson(nested(100_000))).toThrow('A JSON value must be nested at most 512 levels deep');
  });
});

describe('a value that is no JSON', () => {
  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [1n, '1n'],
    [() => 1, 'a function'],
    [Symbol('s'), 'Symbol(s)'],
  ])('is refused: %s', (value, got) => {
    const error = new TypeError(`Expected a JSON value, got ${got}`);
    expect(() => canonicalJson(value)).toThrow(error);
    expect(() => canonicalJson([value])).toThrow(error);
  });

  it('is refused where it is a member', () => {
    expect(() => canonicalJson({ a: { b: Number.NaN } })).toThrow(new TypeError('Expected a JSON value, got NaN'));
  });
});
