import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { createRequestStateCodec, type StateCall } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { jsonWith } from '../core/arbitraries.ts';
import type { Json } from '../support/json.ts';
import { CALL, causeOf, codecAt, FORMS } from './sealing.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

/** Any JSON value, members with hostile names included, as a parser gives it. */
const payloads = fc
  .oneof(
    fc.jsonValue(),
    jsonWith(['a', 'b']),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

// As text: an assertion on objects trips over a member named `constructor`.
const textOf = (value: unknown): string => JSON.stringify(value);

/** Calls that are often the same. */
const calls: fc.Arbitrary<StateCall> = fc
  .record({
    method: fc.constantFrom('tools/call', 'prompts/get', 'resources/read'),
    name: fc.constantFrom('a', 'b'),
    args: fc.oneof(fc.constant<unknown>(undefined), fc.constant({}), jsonWith(['a'])),
    clientId: fc.constantFrom(undefined, 'app', 'web'),
    sub: fc.constantFrom(undefined, 'ada', 'ben'),
  })
  .map(({ method, name, args, clientId, sub }) => ({
    method,
    params: { name, ...(args === undefined ? {} : { arguments: args }) },
    ...(clientId === undefined ? {} : { authInfo: { clientId, ...(sub === undefined ? {} : { extra: { sub } }) } }),
  }));

/** What two calls have to agree on. */
function essenceOf({ method, params, authInfo }: StateCall): unknown {
  return [method, params?.['name'], params?.['arguments'] ?? {}, authInfo];
}

describe.each(FORMS)('[Q1a] a state, %s', (_form, encrypt) => {
  const { codec } = codecAt({ encrypt });

  it('holds any JSON value', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        expect(textOf(codec.verify(codec.mint(payload, CALL), CALL))).toBe(textOf(payload));
      }),
      { numRuns: 300 },
    );
  });

  it('opens for the call it was minted for and for no other', () => {
    let [same, other] = [0, 0];
    fc.assert(
      fc.property(calls, calls, payloads, (minted, shown, payload) => {
        const state = codec.mint(payload, minted);
        expect(textOf(codec.verify(state, structuredClone(minted)))).toBe(textOf(payload));
        if (isDeepStrictEqual(essenceOf(minted), essenceOf(shown))) {
          same += 1;
          expect(textOf(codec.verify(state, shown))).toBe(textOf(payload));
        } else {
          other += 1;
          expect(causeOf(() => codec.verify(state, shown))).toBe('wrong-binding');
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(same, other)).toBeGreaterThan(0);
  });

  it('opens for the binding it was minted for and for no other', () => {
    const bindings = fc.oneof(fc.constantFrom('', 'a', 'b'), fc.string({ unit: 'binary', maxLength: 3 }));
    fc.assert(
      fc.property(bindings, bindings, payloads, (binding, other, payload) => {
        const state = codec.mint(payload, { binding });
        expect(textOf(codec.verify(state, { binding }))).toBe(textOf(payload));
        if (other !== binding) expect(causeOf(() => codec.verify(state, { binding: other }))).toBe('wrong-binding');
      }),
      { numRuns: 300 },
    );
  });

  it.each<[unknown]>([[null], [false], [0], [''], ['text'], [[]], [{}], ['__proto__'], [-1.5e-7], ['\ud800']])(
    'holds %j',
    (payload) => {
      expect(codec.verify(codec.mint(payload, CALL), CALL)).toStrictEqual(payload);
    },
  );

  it('holds a member named __proto__ as a member', () => {
    const payload = JSON.parse('{"__proto__":{"isAdmin":true}}');
    const opened = codec.verify(codec.mint(payload, CALL), CALL) as Json;
    expect(Object.keys(opened)).toStrictEqual(['__proto__']);
    expect(opened['isAdmin']).toBeUndefined();
  });

  it('gives a copy of its own each time', () => {
    const payload = { steps: [1] };
    const state = codec.mint(payload, CALL);
    payload.steps.push(2);
    const first = codec.verify(state, CALL) as { steps: number[] };
    first.steps.push(3);
    expect(codec.verify(state, CALL)).toStrictEqual({ steps: [1] });
  });

  it('is v1. and base64url', () => {
    expect(codec.mint({ step: 1 }, CALL)).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  });
});

describe('[Q1b] a payload', () => {
  const { codec } = codecAt({ maxBytes: 10 });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a function', () => 1],
    ['Symbol(s)', Symbol('s')],
    ['an object', { toJSON: () => undefined }],
  ])('that is no JSON value is a TypeError: %s', (got, payload) => {
    const error = new TypeError(`A requestState payload must be a JSON value, got ${got}`);
    expect(() => codec.mint(payload, CALL)).toThrow(error);
  });

  it('that is no JSON value is a TypeError: a big integer', () => {
    expect(() => codec.mint({ step: 1n }, CALL)).toThrow(TypeError);
  });

  it('that is no JSON value is a TypeError: a cycle', () => {
    const cycle: Json = {};
    cycle['self'] = cycle;
    expect(() => codec.mint(cycle, CALL)).toThrow(TypeError);
  });

  it.each([
    ['ASCII', 'aaaaaaaa', 'aaaaaaaaa', 11],
    ['two bytes a character', 'éééé', 'ééééé', 12],
    ['four bytes a character', '😀😀', '😀😀😀', 14],
    ['what JSON escapes', '\n\n\n\n', '\n\n\n\n\n', 12],
  ])('may have maxBytes bytes of UTF-8 JSON: %s', (_name, fits, exceeds, bytes) => {
    expect(codec.verify(codec.mint(fits, CALL), CALL)).toBe(fits);
    expect(() => codec.mint(exceeds, CALL)).toThrow(
      new RangeError(`A requestState payload must have at most 10 bytes as JSON, got ${bytes}`),
    );
  });

  it.each(FORMS)('of the default maxBytes, 65 536, opens with every longest thing around it, %s', (_form, encrypt) => {
    const clock = () => 1_785_196_800_000.123;
    const singleUse = { consume: async () => true };
    const wide = createRequestStateCodec({ encrypt, singleUse, ttlSeconds: 1e15 + 0.123, ports: { now: clock } });
    const payload = 'x'.repeat(65_534);
    const tooLarge = 'A requestState payload must have at most 65536 bytes as JSON, got 65537';
    expect(() => wide.mint(`${payload}x`, CALL)).toThrow(new RangeError(tooLarge));
    return expect(wide.verify(wide.mint(payload, CALL), CALL)).resolves.toBe(payload);
  });

  it.each(FORMS)('of 10 000 levels comes back, %s', (_form, encrypt) => {
    const deep = codecAt({ encrypt }).codec;
    const text = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    let payload: unknown;
    try {
      payload = deep.verify(deep.mint(JSON.parse(text), CALL), CALL);
    } catch (error) {
      // Where the stack is too small for it, mint says so.
      expect(error).toBeInstanceOf(RangeError);
      return;
    }
    expect(JSON.stringify(payload)).toBe(text);
  });
});
