import { describe, expect, it } from 'vitest';
import { createMiddlewareCodec, createRequestStateCodec, ephemeralKeys } from '../../packages/shim/src/state/codec.ts';
import { type Openable, type OpenedState, openableOf, openState } from '../../packages/shim/src/state/openable.ts';
import { CALL, causeOf, KEY, rejectionOf, START } from './sealing.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A single-use codec that keeps what its store was asked. */
function counting() {
  const used: unknown[][] = [];
  const singleUse = { consume: async (...args: unknown[]) => used.push(args) === 1 };
  return { used, singleUse, codec: createMiddlewareCodec({ keys: KEY, singleUse, ports: { now: () => START } }) };
}

describe('[Q8a] a state that is opened and not yet used', () => {
  it('gives its payload, its id and its end, and stays unused', () => {
    const { codec, used } = counting();
    const state = codec.mint({ step: 1 }, CALL);
    const opened: OpenedState = { payload: { step: 1 }, id: expect.stringMatching(UUID), expiresAt: START + 600_000 };
    expect(openableOf(codec)?.open(state, CALL)).toStrictEqual(opened);
    expect(openableOf(codec)?.open(state, CALL)).toStrictEqual(opened);
    expect(used).toStrictEqual([]);
  });

  it('has no id where it was minted without singleUse', () => {
    const codec = createMiddlewareCodec({ keys: KEY, ports: { now: () => START } });
    expect(openableOf(codec)?.open(codec.mint(1, CALL), CALL)).toStrictEqual({
      payload: 1,
      id: undefined,
      expiresAt: START + 600_000,
    });
  });

  it('is refused like any other where it is not right', () => {
    const { codec } = counting();
    expect(causeOf(() => openableOf(codec)?.open(null, CALL))).toBe('malformed');
    expect(causeOf(() => openableOf(codec)?.open(codec.mint(1, CALL), { binding: 'x' }))).toBe('wrong-binding');
  });

  it('can be opened with openState, whose promise is never a throw', async () => {
    const { codec, used } = counting();
    expect(await openState(codec, codec.mint(1, CALL), CALL)).toBe(1);
    expect(used).toStrictEqual([]);
    expect(await rejectionOf(openState(codec, null, CALL))).toBe('malformed');
  });

  it('can be opened with openState of a codec that knows only how to verify', async () => {
    const codec = { mint: () => 's', verify: (state: unknown) => ({ verified: state }) };
    expect(await openState(codec, 's', CALL)).toStrictEqual({ verified: 's' });
    // What has the mark among others is no payload of the middleware's.
    const marked = { 'mcp-dual-era/value': 1, more: 2 };
    expect(await openState({ mint: () => 's', verify: () => marked }, 's', CALL)).toStrictEqual(marked);
    const refusing = {
      mint: () => 's',
      verify: () => {
        throw new Error('unknown');
      },
    };
    await expect(openState(refusing, 's', CALL)).rejects.toThrow('unknown');
  });
});

describe('[Q8a] the state of an ask', () => {
  const openable = (codec: Parameters<typeof openableOf>[0]) => openableOf(codec) as Openable;

  it('is used up when it is opened, once', async () => {
    const { codec, used } = counting();
    const state = openable(codec).sealAsk({ step: 1 }, CALL, false);
    expect(await openable(codec).openAsk(state, CALL)).toStrictEqual({ step: 1 });
    expect(await rejectionOf(openable(codec).openAsk(state, CALL))).toBe('used');
    expect(used).toStrictEqual([
      [expect.stringMatching(UUID), START + 600_000],
      [expect.stringMatching(UUID), START + 600_000],
    ]);
  });

  it('is not what a handler mints, and a handler’s is not an ask’s', async () => {
    const codec = createRequestStateCodec({ keys: KEY });
    const minted = codec.mint({ step: 1 }, CALL);
    expect(await rejectionOf(openable(codec).openAsk(minted, CALL))).toBe('wrong-binding');
    const sealed = openable(codec).sealAsk({ step: 1 }, CALL, false);
    expect(causeOf(() => codec.verify(sealed, CALL))).toBe('wrong-binding');
  });

  it('is encrypted where it has to be, whatever the codec does', async () => {
    const codec = createRequestStateCodec({ keys: KEY });
    const plain = (state: string) => Buffer.from(state.slice(3), 'base64url').toString('latin1').includes('secret');
    expect(plain(openable(codec).sealAsk('secret', CALL, false))).toBe(true);
    const hidden = openable(codec).sealAsk('secret', CALL, true);
    expect(plain(hidden)).toBe(false);
    expect(await openable(codec).openAsk(hidden, CALL)).toBe('secret');
  });

  it('has room for the middleware’s record beside the largest payload', () => {
    const codec = createRequestStateCodec({ keys: KEY, maxBytes: 100 });
    expect(openable(codec).sealAsk('x'.repeat(60_000), CALL, true)).toMatch(/^v1\./);
    expect(() => openable(codec).sealAsk('x'.repeat(66_000), CALL, true)).toThrow(
      new RangeError('A requestState payload must have at most 65636 bytes as JSON, got 66002'),
    );
  });

  it('is opened by a codec that shares its ephemeral keys, and by no other', async () => {
    const keys = ephemeralKeys();
    const [first, second, other] = [
      createMiddlewareCodec({}, keys),
      createMiddlewareCodec({}, keys),
      createMiddlewareCodec({}),
    ];
    const state = openable(first).sealAsk(1, CALL, false);
    expect(await openable(second).openAsk(state, CALL)).toBe(1);
    expect(await rejectionOf(openable(other).openAsk(state, CALL))).toBe('other-ephemeral-key');
    expect([openable(first).isEphemeral, openable(createRequestStateCodec({ keys: KEY })).isEphemeral]).toStrictEqual([
      true,
      false,
    ]);
  });
});
