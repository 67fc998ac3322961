import { createRequestStateCodec, inMemorySingleUseStore, type RequestStateCodecOptions } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { KEY } from './sealing.ts';

const build = (options: unknown) => () => createRequestStateCodec(options as RequestStateCodecOptions as Json);
const COUNTS = 'must be an integer from 1 to 9007199254740991';

describe('[F39] an option of a codec', () => {
  it.each<[unknown, string]>([
    [null, 'options must be an object, got null'],
    [[], 'options must be an object, got an array'],
    [() => ({}), 'options must be an object, got a function'],
    [{ ttlSeconds: '600' }, 'ttlSeconds must be a number, got "600"'],
    [{ ttlSeconds: null }, 'ttlSeconds must be a number, got null'],
    [{ ttlSeconds: 600n }, 'ttlSeconds must be a number, got 600n'],
    [{ encrypt: 1 }, 'encrypt must be true or false, got 1'],
    [{ encrypt: 'true' }, 'encrypt must be true or false, got "true"'],
    [{ encrypt: null }, 'encrypt must be true or false, got null'],
    [{ allowEphemeralKey: 1 }, 'allowEphemeralKey must be true or false, got 1'],
    [{ allowEphemeralKey: 'yes' }, 'allowEphemeralKey must be true or false, got "yes"'],
    [{ allowEphemeralKey: null }, 'allowEphemeralKey must be true or false, got null'],
    [{ audience: 7 }, 'audience must be a string, got 7'],
    [{ audience: null }, 'audience must be a string, got null'],
    [{ audience: ['a'] }, 'audience must be a string, got an array'],
    [{ singleUse: true }, 'singleUse must be a store with consume(id, expiresAt), got true'],
    [{ singleUse: null }, 'singleUse must be a store with consume(id, expiresAt), got null'],
    [{ singleUse: {} }, 'singleUse must be a store with consume(id, expiresAt), got an object'],
    [{ singleUse: { consume: true } }, 'singleUse must be a store with consume(id, expiresAt), got an object'],
    [{ singleUse: () => true }, 'singleUse must be a store with consume(id, expiresAt), got a function'],
    [{ subject: 'sub' }, 'subject must be a function, got "sub"'],
    [{ subject: null }, 'subject must be a function, got null'],
    [{ bind: 'tools/call' }, 'bind must be a function, got "tools/call"'],
    [{ bind: null }, 'bind must be a function, got null'],
    [{ maxBytes: '64k' }, 'maxBytes must be a number, got "64k"'],
    [{ maxBytes: null }, 'maxBytes must be a number, got null'],
  ])('of the wrong type is a TypeError: %o', (options, message) => {
    expect(build(options)).toThrow(new TypeError(message));
  });

  it.each<[Json, string]>([
    [{ ttlSeconds: Number.NaN }, 'ttlSeconds must be a finite number >= 1, got NaN'],
    [{ ttlSeconds: Number.POSITIVE_INFINITY }, 'ttlSeconds must be a finite number >= 1, got Infinity'],
    [{ ttlSeconds: Number.NEGATIVE_INFINITY }, 'ttlSeconds must be a finite number >= 1, got -Infinity'],
    [{ ttlSeconds: 0 }, 'ttlSeconds must be a finite number >= 1, got 0'],
    [{ ttlSeconds: -1 }, 'ttlSeconds must be a finite number >= 1, got -1'],
    [{ ttlSeconds: 0.999 }, 'ttlSeconds must be a finite number >= 1, got 0.999'],
    [{ maxBytes: 0 }, `maxBytes ${COUNTS}, got 0`],
    [{ maxBytes: -1 }, `maxBytes ${COUNTS}, got -1`],
    [{ maxBytes: 1.5 }, `maxBytes ${COUNTS}, got 1.5`],
    [{ maxBytes: Number.NaN }, `maxBytes ${COUNTS}, got NaN`],
    [{ maxBytes: Number.POSITIVE_INFINITY }, `maxBytes ${COUNTS}, got Infinity`],
    [{ maxBytes: 2 ** 53 }, `maxBytes ${COUNTS}, got 9007199254740992`],
  ])('out of bounds is a RangeError: %o', (options, message) => {
    expect(build(options)).toThrow(new RangeError(message));
  });

  it.each<[Json | undefined]>([
    [undefined],
    [{}],
    [{ ttlSeconds: 1, maxBytes: 1, encrypt: true, audience: '' }],
    [{ ttlSeconds: 1.5, maxBytes: 9007199254740991, encrypt: false, audience: 'a' }],
    [{ bind: () => 'one', subject: () => undefined, singleUse: inMemorySingleUseStore() }],
    [
      {
        keys: undefined,
        ttlSeconds: undefined,
        bind: undefined,
        subject: undefined,
        audience: undefined,
        encrypt: undefined,
        singleUse: undefined,
        maxBytes: undefined,
        allowEphemeralKey: undefined,
        ports: undefined,
      },
    ],
  ])('within bounds is taken: %o', (options) => {
    expect(build(options)).not.toThrow();
  });

  it('is checked whether there are keys or none', () => {
    expect(build({ keys: KEY, ttlSeconds: 0 })).toThrow(RangeError);
    expect(build({ ttlSeconds: 0 })).toThrow(RangeError);
  });
});
