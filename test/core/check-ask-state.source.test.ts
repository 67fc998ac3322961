import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkAsk } from '../../packages/shim/src/core/check-ask.ts';
import type { Json } from '../support/json.ts';
import { deepObject } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const MAX_BYTES = 65_536;
const checkState = (requestState: unknown, maxBytes = MAX_BYTES) => checkAsk({ requestState }, maxBytes);

describe('a requestState that is right', () => {
  it.each<[unknown, string]>([
    [{ step: 1 }, '{"step":1}'],
    [[1, 'a'], '[1,"a"]'],
    [0, '0'],
    [false, 'false'],
    [{}, '{}'],
    [{ gone: undefined }, '{}'],
  ])('may have only the state %j', (requestState, state) => {
    expect(checkState(requestState)).toStrictEqual({ requests: [], state, sealed: undefined });
  });

  it.each([{}, null, undefined])('may have a state beside the empty inputRequests %j', (inputRequests) => {
    expect(checkAsk({ inputRequests, requestState: 1 }, MAX_BYTES)).toStrictEqual({
      requests: [],
      state: '1',
      sealed: undefined,
    });
  });

  it.each([null, undefined])('has no state where requestState is %s', (requestState) => {
    const checked = checkAsk({ inputRequests: { q: { method: 'roots/list' } }, requestState }, MAX_BYTES);
    expect('state' in checked && checked.state).toBeUndefined();
  });
});

describe('a requestState that is a promise', () => {
  it('is a mistake, not an empty state', () => {
    const mistake = 'requestState must be a JSON value: await the promise it comes from';
    expect(checkState(Promise.resolve({ step: 1 }))).toStrictEqual({ mistake });
  });
});

describe('a requestState that is a text', () => {
  it.each(['step 1', '', 'x'.repeat(100_000)])('is taken for a sealed state, whole: %.10s', (sealed) => {
    expect(checkState(sealed)).toStrictEqual({ requests: [], state: undefined, sealed });
  });
});

describe('a mistake in requestState', () => {
  it.each<[string, unknown, string]>([
    ['NaN', Number.NaN, 'requestState must be a JSON value, got NaN'],
    ['an infinite number', Number.NEGATIVE_INFINITY, 'requestState must be a JSON value, got -Infinity'],
    ['a function', () => 1, 'requestState must be a JSON value, got a function'],
    ['a symbol', Symbol('s'), 'requestState must be a JSON value, got Symbol(s)'],
    ['an object that is no JSON', { toJSON: () => undefined }, 'requestState must be a JSON value, got an object'],
    ['a big integer', 1n, 'requestState must be a JSON value: it has a cycle, a bigint, or throws when read'],
    [
      'an object that throws an error',
      {
        toJSON: () => {
          throw new Error('boom');
        },
      },
      'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
    ],
    [
      'an object that throws anything else',
      {
        toJSON: () => {
          throw 'boom';
        },
      },
      'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
    ],
    [
      '100 000 levels',
      deepObject(100_000),
      'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
    ],
  ])('is told: %s', (_name, requestState, mistake) => {
    expect(checkState(requestState)).toStrictEqual({ mistake });
  });

  it('is told: a cycle', () => {
    const cycle: Json = {};
    cycle['self'] = cycle;
    const checked = checkState(cycle);
    expect('mistake' in checked && checked.mistake).toMatch(/^requestState must be a JSON value: it has a cycle/);
  });

  it('is told before anything in inputRequests', () => {
    expect(checkAsk({ inputRequests: 1, requestState: 1n }, MAX_BYTES)).toStrictEqual({
      mistake: 'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
    });
  });

  it.each([
    ['ASCII', 'aaa', 7],
    ['the last of one byte', '\u007f', 5],
    ['the first of two bytes', '\u0080', 6],
    ['the last of two bytes', '\u07ff', 6],
    ['the first of three bytes', '\u0800', 7],
    ['the last before the surrogates', '\ud7ff', 7],
    ['the first after the surrogates', '\ue000', 7],
    ['the first of four bytes', '\u{10000}', 8],
    ['the last of four bytes', '\u{10ffff}', 8],
    ['a lone surrogate, which JSON escapes', '\ud800', 10],
  ])('has its size counted in bytes of UTF-8: %s', (_name, text, bytes) => {
    expect(checkState([text], bytes)).toStrictEqual({
      requests: [],
      state: JSON.stringify([text]),
      sealed: undefined,
    });
    expect(checkState([text], bytes - 1)).toStrictEqual({
      mistake: `requestState must have at most ${bytes - 1} bytes as JSON, got ${bytes}`,
    });
  });

  it('has its size counted as Buffer counts it, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.byteLength(JSON.stringify([text]));
        expect('mistake' in checkState([text], bytes)).toBe(false);
        expect('mistake' in checkState([text], bytes - 1)).toBe(true);
      }),
    );
  });
});
