import { createRequestStateCodec, defaultBinding, type InputRequiredOptions, shimTransport } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { openPlay } from '../support/open-play.ts';
import { createPlayServer, PLAY_PARAMS } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const CALL = { method: 'tools/call', params: PLAY_PARAMS['tools/call'] as Json };

/** A state that a server with these options mints for its caller. */
async function mintedBy(options: InputRequiredOptions, caller?: string): Promise<string> {
  let state: unknown;
  const served = await serveFactory(() =>
    createPlayServer(
      async (context) => {
        state = await context.mintRequestState({ step: 1 });
        return 'done';
      },
      { options },
    ),
  );
  try {
    const { peer } = served.connect();
    await peer.handshake();
    const headers = caller === undefined ? undefined : { 'x-test-caller': caller };
    await peer.send({ jsonrpc: '2.0', id: 1, ...CALL }, headers);
    await peer.next();
    return String(state);
  } finally {
    await served.close();
  }
}

const authOf = (clientId: string, sub: string) => ({
  ...CALL,
  authInfo: { clientId, extra: { sub, iss: 'https://issuer.test' } },
});

describe('[Q9h] the option requestState', () => {
  it('may be the options of a codec', async () => {
    const state = await mintedBy({ requestState: { keys: KEY } });
    expect(createRequestStateCodec({ keys: KEY }).verify(state, CALL)).toStrictEqual({ step: 1 });
  });

  it('may be a codec', async () => {
    const state = await mintedBy({ requestState: createRequestStateCodec({ keys: KEY, encrypt: true }) });
    expect(createRequestStateCodec({ keys: KEY }).verify(state, CALL)).toStrictEqual({ step: 1 });
  });

  it('may be an object with mint and verify', async () => {
    expect(await mintedBy({ requestState: { mint: () => 'sealed by hand', verify: () => 1 } })).toBe('sealed by hand');
  });

  it('may be absent: the server has a key of its own', async () => {
    const state = await mintedBy({});
    expect(() => createRequestStateCodec({ keys: KEY }).verify(state, CALL)).toThrow(
      expect.objectContaining({ cause: 'other-ephemeral-key' }),
    );
  });

  it('has every state bound to the caller of its call', async () => {
    const state = await mintedBy({ requestState: { keys: KEY } }, 'app/ada');
    const codec = createRequestStateCodec({ keys: KEY });
    expect(codec.verify(state, authOf('app', 'ada'))).toStrictEqual({ step: 1 });
    for (const other of [authOf('app', 'ben'), authOf('web', 'ada'), CALL]) {
      expect(() => codec.verify(state, other)).toThrow(expect.objectContaining({ cause: 'wrong-binding' }));
    }
  });

  it('takes over the subject option of the server', async () => {
    const subject = () => 'the same for all';
    const state = await mintedBy({ subject, requestState: { keys: KEY } }, 'app/ada');
    expect(createRequestStateCodec({ keys: KEY, subject }).verify(state, authOf('app', 'ben'))).toStrictEqual({
      step: 1,
    });
    expect(() => createRequestStateCodec({ keys: KEY }).verify(state, authOf('app', 'ada'))).toThrow();
  });

  it('takes over the subject option also where it has one that is undefined', async () => {
    const subject = () => 'the same for all';
    const state = await mintedBy({ subject, requestState: { keys: KEY, subject: undefined } }, 'app/ada');
    expect(createRequestStateCodec({ keys: KEY, subject }).verify(state, authOf('app', 'ben'))).toStrictEqual({
      step: 1,
    });
  });

  it('may have a subject of its own', async () => {
    const subject = () => 'the one of the codec';
    const options = { subject: () => 'the one of the server', requestState: { keys: KEY, subject } };
    const state = await mintedBy(options, 'app/ada');
    expect(createRequestStateCodec({ keys: KEY, subject }).verify(state, authOf('app', 'ben'))).toStrictEqual({
      step: 1,
    });
  });

  it('may extend the default binding, and is shown the headers of the HTTP request', async () => {
    const seen: Json[] = [];
    const bind = (call: Json) => {
      seen.push(call['requestInfo']);
      return `mine ${defaultBinding(call as never)}`;
    };
    const state = await mintedBy({ requestState: { keys: KEY, bind: bind as never } }, 'app/ada');
    expect(seen).toMatchObject([{ headers: { 'x-test-caller': 'app/ada' } }]);
    const again = createRequestStateCodec({ keys: KEY, bind: (call) => `mine ${defaultBinding(call)}` });
    expect(again.verify(state, authOf('app', 'ada'))).toStrictEqual({ step: 1 });
  });

  const build = (requestState: unknown) => () => {
    const transport = { start: async () => undefined, send: async () => undefined, close: async () => undefined };
    return shimTransport(transport, { requestState } as InputRequiredOptions);
  };

  it.each<[unknown, string]>([
    [null, 'requestState must be an object, got null'],
    [true, 'requestState must be an object, got true'],
    [[], 'requestState must be an object, got an array'],
    [() => ({}), 'requestState must be an object, got a function'],
    [{ keys: 7 }, 'keys must be a string or a Uint8Array, got a number'],
    [{ ttlSeconds: '600' }, 'ttlSeconds must be a number, got "600"'],
    [{ encrypt: 'yes' }, 'encrypt must be true or false, got "yes"'],
    [{ singleUse: {} }, 'singleUse must be a store with consume(id, expiresAt), got an object'],
  ])('of a wrong type is a TypeError when the server is wrapped: %o', (requestState, message) => {
    expect(build(requestState)).toThrow(new TypeError(message));
  });

  it.each<[unknown, string]>([
    [{ keys: 'k'.repeat(31) }, 'keys must have at least 32 bytes, got 31'],
    [{ keys: [] }, 'keys must hold at least one key, got an empty list'],
    [{ ttlSeconds: 0 }, 'ttlSeconds must be a finite number >= 1, got 0'],
    [{ ttlSeconds: Number.NaN }, 'ttlSeconds must be a finite number >= 1, got NaN'],
  ])('of a wrong value is a RangeError when the server is wrapped: %o', (requestState, message) => {
    expect(build(requestState)).toThrow(new RangeError(message));
  });

  it.each<[string, unknown]>([
    ['mint alone', { mint: () => 's' }],
    ['verify alone', { verify: () => 1 }],
    ['a verify that is no function', { mint: () => 's', verify: true }],
  ])('that is half a codec is a TypeError, and never taken for options: %s', (_name, requestState) => {
    expect(build(requestState)).toThrow(
      new TypeError('requestState must be the options of a codec, or a codec with mint and verify, got an object'),
    );
  });

  it('that is a key is not repeated in the error', () => {
    expect(build(KEY)).toThrow(TypeError);
    expect(build(KEY)).not.toThrow(KEY);
  });

  it('has a bind that throws deny the mint: the handler sees its error, and nobody is asked', async () => {
    const bind = () => {
      throw new Error('no directory');
    };
    const session = await openPlay((context) => ask({ who: form() }, context.mintRequestState(1)), {
      options: { requestState: { keys: KEY, bind } },
    });
    await session.run();
    expect(await session.peer.next()).toMatchObject({ result: { isError: true } });
  });
});
