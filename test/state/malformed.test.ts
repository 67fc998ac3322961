import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { bytesOf, CALL, causeOf, codecAt, FORMS, KEY, OTHER_KEY, stateOf } from './sealing.ts';

const HEAD_BYTES = 9;

describe.each(FORMS)('[Q3a] a text that no state can be (%s)', (_form, encrypt) => {
  const { codec } = codecAt({ encrypt });
  const good = codec.mint({ step: 1 }, CALL);
  const cause = (state: unknown): string => causeOf(() => codec.verify(state, CALL));

  it('is malformed where it ends before its tag', () => {
    const bytes = bytesOf(good);
    const tag = encrypt ? 12 + 16 : 32;
    for (let length = 0; length < HEAD_BYTES + tag; length += 1) {
      expect([length, cause(stateOf(bytes.subarray(0, length)))]).toEqual([length, 'malformed']);
    }
    expect(cause(stateOf(bytes.subarray(0, HEAD_BYTES + tag)))).toBe('bad-seal');
  });

  it('is of an unknown key as soon as its head is whole', () => {
    const other = bytesOf(createRequestStateCodec({ keys: OTHER_KEY, encrypt }).mint(1, CALL));
    expect(cause(stateOf(other.subarray(0, HEAD_BYTES)))).toBe('unknown-key');
  });

  it.each([
    ['padding', (state: string) => `${state}=`],
    ['a space', (state: string) => `${state} `],
    ['a line break within', (state: string) => `${state.slice(0, 20)}\n${state.slice(20)}`],
    ['a letter that is none of its alphabet', (state: string) => `${state}!`],
    ['another version', (state: string) => state.replace('v1.', 'v2.')],
  ])('is malformed with %s', (_what, change) => {
    expect(cause(change(good))).toBe('malformed');
  });

  it('is malformed with a form that there is not', () => {
    const bytes = bytesOf(good);
    bytes.writeUInt8(4, HEAD_BYTES - 1);
    expect(cause(stateOf(bytes))).toBe('malformed');
  });

  it('is malformed where it is longer than any that this codec mints, whoever sealed it', () => {
    const large = codecAt({ encrypt, maxBytes: 1_000_000 }).codec.mint('x'.repeat(3_000), CALL);
    const small = codecAt({ encrypt, maxBytes: 100 }).codec;
    expect(causeOf(() => small.verify(large, CALL))).toBe('malformed');
  });
});

it('the payload of a state is no promise', () => {
  const { codec } = codecAt({ keys: KEY });
  const mint = () => codec.mint(Promise.resolve({ step: 1 }), CALL);
  expect(mint).toThrow(new TypeError('A requestState payload must be a JSON value, got a promise'));
});

it('what bind returns is a text', () => {
  const { codec } = codecAt({ bind: () => 5 as never });
  expect(() => codec.mint(1, CALL)).toThrow(new TypeError('bind must return a string, got 5'));
});
