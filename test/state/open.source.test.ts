import { describe, expect, it } from 'vitest';
import {
  consume,
  createOpenableCodec,
  type OpenedState,
  openableOf,
  openState,
} from '../../packages/shim/src/state/codec.ts';
import { CALL, causeOf, KEY, rejectionOf, START } from './sealing.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A single-use codec that keeps what its store was asked. */
function counting() {
  const used: unknown[][] = [];
  const singleUse = { consume: async (...args: unknown[]) => used.push(args) === 1 };
  return { used, singleUse, codec: createOpenableCodec({ keys: KEY, singleUse, ports: { now: () => START } }) };
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
    const codec = createOpenableCodec({ keys: KEY, ports: { now: () => START } });
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

  it('is used up by consume, once', async () => {
    const { codec, singleUse, used } = counting();
    const opened = openableOf(codec)?.open(codec.mint(1, CALL), CALL) as OpenedState;
    await consume(opened, singleUse);
    expect(await rejectionOf(consume(opened, singleUse))).toBe('used');
    expect(used).toStrictEqual([
      [opened.id, opened.expiresAt],
      [opened.id, opened.expiresAt],
    ]);
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
    const refusing = {
      mint: () => 's',
      verify: () => {
        throw new Error('unknown');
      },
    };
    await expect(openState(refusing, 's', CALL)).rejects.toThrow('unknown');
  });
});
