import { createRequestStateCodec, generateRequestStateKey, type RequestStateCodecOptions } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { CALL, KEY } from './sealing.ts';

const build = (keys: unknown) => () => createRequestStateCodec({ keys: keys as RequestStateCodecOptions['keys'] });
const isSame = (left: string | Uint8Array, right: string | Uint8Array): boolean => {
  const state = createRequestStateCodec({ keys: left }).mint(1, CALL);
  try {
    return createRequestStateCodec({ keys: right }).verify(state, CALL) === 1;
  } catch {
    return false;
  }
};

describe('[Q5a] a key', () => {
  it.each<[string, string | Uint8Array]>([
    ['32 bytes', new Uint8Array(32)],
    ['a text of 32 bytes', KEY],
    ['a text of 16 characters that has 32 bytes as UTF-8', 'ä'.repeat(16)],
    ['a Buffer', Buffer.alloc(32)],
    ['1 MB', new Uint8Array(1_000_000)],
    ['a view of a larger buffer', new Uint8Array(new ArrayBuffer(64), 16, 32)],
  ])('is taken: %s', (_name, key) => {
    expect(isSame(key, key)).toBe(true);
  });

  it.each<[string, unknown, string]>([
    ['31 bytes [F39]', new Uint8Array(31), 'keys must have at least 32 bytes, got 31'],
    ['a text of 31 bytes', 'k'.repeat(31), 'keys must have at least 32 bytes, got 31'],
    [
      'a text of 16 characters that has 31 bytes as UTF-8',
      `${'ä'.repeat(15)}k`,
      'keys must have at least 32 bytes, got 31',
    ],
    ['an empty text', '', 'keys must have at least 32 bytes, got 0'],
    ['no bytes', new Uint8Array(0), 'keys must have at least 32 bytes, got 0'],
    ['an empty list', [], 'keys must hold at least one key, got an empty list'],
    ['a short key behind a good one', [KEY, 'k'.repeat(31)], 'keys[1] must have at least 32 bytes, got 31'],
    ['a short key before a good one', [new Uint8Array(5), KEY], 'keys[0] must have at least 32 bytes, got 5'],
  ])('is a RangeError: %s', (_name, keys, message) => {
    expect(build(keys)).toThrow(new RangeError(message));
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'keys must be a string or a Uint8Array, got null'],
    ['a number', 12_345_678, 'keys must be a string or a Uint8Array, got a number'],
    ['a big integer', 12_345_678n, 'keys must be a string or a Uint8Array, got a bigint'],
    ['true', true, 'keys must be a string or a Uint8Array, got a boolean'],
    ['a symbol', Symbol('12345678'), 'keys must be a string or a Uint8Array, got a symbol'],
    ['a function', () => KEY, 'keys must be a string or a Uint8Array, got a function'],
    ['an object that holds a key', { key: KEY }, 'keys must be a string or a Uint8Array, got an object'],
    ['a plain buffer', new ArrayBuffer(32), 'keys must be a string or a Uint8Array, got an object'],
    ['words of two bytes', new Uint16Array(32), 'keys must be a string or a Uint8Array, got an object'],
    ['a list of bytes', [1, 2, 3], 'keys[0] must be a string or a Uint8Array, got a number'],
    ['undefined in a list', [KEY, undefined], 'keys[1] must be a string or a Uint8Array, got undefined'],
    ['a list in a list', [[KEY]], 'keys[0] must be a string or a Uint8Array, got an array'],
  ])('of the wrong type is a TypeError that does not repeat it: %s', (_name, keys, message) => {
    expect(build(keys)).toThrow(new TypeError(message));
  });

  it('given in place of the options is a TypeError that does not repeat it', () => {
    const create = () => createRequestStateCodec(KEY as RequestStateCodecOptions as object);
    expect(create).toThrow(TypeError);
    expect(create).not.toThrow(KEY.slice(0, 8));
  });

  it('is its bytes: a text stands for its UTF-8', () => {
    expect(isSame('ä'.repeat(16), new TextEncoder().encode('ä'.repeat(16)))).toBe(true);
    expect(isSame(KEY, Buffer.from(KEY))).toBe(true);
  });

  it.each(['hex', 'base64url'] as const)('is its bytes: a text that looks like %s is not decoded', (encoding) => {
    const bytes = new Uint8Array(32).fill(7);
    expect(isSame(Buffer.from(bytes).toString(encoding), bytes)).toBe(false);
  });

  it('is used to its last byte', () => {
    expect(isSame(`${KEY}0`, `${KEY}1`)).toBe(false);
    expect(isSame(`${KEY}0`, KEY)).toBe(false);
  });

  it('[Q5b] is copied: bytes that change later change nothing', () => {
    const key = new Uint8Array(32).fill(7);
    const codec = createRequestStateCodec({ keys: [key] });
    const state = codec.mint('before', CALL);
    key.fill(0);
    expect(codec.verify(state, CALL)).toBe('before');
    const fresh = createRequestStateCodec({ keys: new Uint8Array(32).fill(7) });
    expect(fresh.verify(codec.mint('after', CALL), CALL)).toBe('after');
  });

  it('[Q5b] is copied with its list: a list that changes later changes nothing', () => {
    const keys = [KEY];
    const codec = createRequestStateCodec({ keys });
    keys[0] = 'another key, of more than 32 bytes';
    expect(createRequestStateCodec({ keys: KEY }).verify(codec.mint(1, CALL), CALL)).toBe(1);
  });
});

describe('[Q5c] generateRequestStateKey', () => {
  it('gives 32 bytes as base64url', () => {
    const key = generateRequestStateKey();
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  });

  it('gives another key each time', () => {
    expect(new Set(Array.from({ length: 100 }, generateRequestStateKey)).size).toBe(100);
  });

  it('gives a key that a codec takes', () => {
    const codec = createRequestStateCodec({ keys: generateRequestStateKey() });
    expect(codec.verify(codec.mint(1, CALL), CALL)).toBe(1);
  });
});
