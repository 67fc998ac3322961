import { createRequestStateCodec, type StateBinding } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { bytesOf, CALL, codecAt, KEY, OTHER_KEY, REFUSED, START, stateOf } from './sealing.ts';

type Refusal = [cause: string, state: unknown, call?: StateBinding];

const { clock, codec } = codecAt();
const good = codec.mint({ step: 1 }, CALL);
const at = (now: number): string => {
  clock.now = now;
  const state = codec.mint({ step: 1 }, CALL);
  clock.now = START;
  return state;
};
const badSeal = (): string => {
  const bytes = bytesOf(good);
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
  return stateOf(bytes);
};
const singleUse = (consume: () => Promise<boolean>) =>
  createRequestStateCodec({ keys: KEY, singleUse: { consume }, ports: { now: () => START } });
const REFUSALS: Refusal[] = [
  ['malformed', null],
  ['unknown-key', createRequestStateCodec({ keys: OTHER_KEY }).mint(1, CALL)],
  ['other-ephemeral-key', createRequestStateCodec().mint(1, CALL)],
  ['bad-seal', badSeal()],
  ['expired', at(START - 600_000)],
  ['not-yet-valid', at(START + 60_001)],
  ['wrong-binding', good, { binding: 'x' }],
];

/** What `verify` throws. */
function thrown([, state, call = CALL]: Refusal): Error {
  let opened: unknown;
  try {
    opened = codec.verify(state, call);
  } catch (error) {
    return error as Error;
  }
  throw new Error(`The state was accepted: ${JSON.stringify(opened)}`);
}

async function rejected(consume: () => Promise<boolean>): Promise<Error> {
  const once = singleUse(consume);
  return once.verify(once.mint(1, CALL), CALL).then(
    () => Promise.reject(new Error('The state was accepted')),
    (error: Error) => error,
  );
}

describe('[F38] [Q3a] the error of a state that is not accepted', () => {
  it.each(REFUSALS)('is the same to a client, and has its cause for the operator: %s', (...refusal) => {
    const error = thrown(refusal);
    const { name, code, message, data } = error as unknown as Json;
    expect({ name, code, message, data }).toStrictEqual(REFUSED);
    expect(error.cause).toBe(refusal[0]);
    expect(error).toBeInstanceOf(Error);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['used', async () => false],
    ['store-failed', () => Promise.reject(new Error('the store is gone'))],
  ])('is the same of a single-use codec: %s', async (cause, consume) => {
    const { name, code, message, data, cause: told } = (await rejected(consume)) as unknown as Json;
    expect({ name, code, message, data }).toStrictEqual(REFUSED);
    expect(told).toBe(cause);
  });

  it('reads the same as JSON, as text and member by member, whatever its cause', async () => {
    const errors = [...REFUSALS.map(thrown), await rejected(async () => false)];
    const first = errors[0] as Error;
    for (const error of errors) {
      expect(JSON.stringify(error)).toBe(JSON.stringify(first));
      expect(String(error)).toBe('RequestStateError: Invalid or expired requestState');
      expect(Object.keys(error)).toStrictEqual(Object.keys(first));
    }
    expect(JSON.stringify(first)).not.toContain('malformed');
  });

  it('shares its data, which nobody can change', () => {
    const [first, second] = REFUSALS.map((refusal) => (thrown(refusal) as unknown as Json)['data']);
    expect(first).toBe(second);
    expect(Object.isFrozen(first)).toBe(true);
    expect(() => {
      first.reason = 'another';
    }).toThrow(TypeError);
    expect(() => {
      first.hint = 'wrong-binding';
    }).toThrow(TypeError);
    expect(thrown(['malformed', null])).toMatchObject({ data: { reason: 'invalid_request_state' } });
  });

  it('rejects of a single-use codec, and never throws', async () => {
    const once = singleUse(async () => true);
    for (const [, state, call = CALL] of REFUSALS) {
      const verified = once.verify(state, call);
      expect(verified).toBeInstanceOf(Promise);
      await expect(verified).rejects.toMatchObject({ code: -32602 });
    }
  });
});

describe('[Q3b] a state whose seal is wrong', () => {
  /** A body that no parser takes, under the head of `good` and a tag of the right length. */
  const unparseable = stateOf(
    Buffer.concat([bytesOf(good).subarray(0, 9), Buffer.from('{"no json'), Buffer.alloc(32, 7)]),
  );

  it('is refused for its seal before anything in it is parsed', () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(thrown(['bad-seal', unparseable]).cause).toBe('bad-seal');
      expect(thrown(['bad-seal', badSeal()]).cause).toBe('bad-seal');
      expect(parse).not.toHaveBeenCalled();
      expect(codec.verify(good, CALL)).toStrictEqual({ step: 1 });
      expect(parse).toHaveBeenCalledTimes(1);
    } finally {
      parse.mockRestore();
    }
  });

  it('is refused before the call is digested, and so is an expired one', () => {
    const bind = vi.fn(() => 'bound');
    const watched = createRequestStateCodec({ keys: KEY, bind, ports: { now: () => clock.now } });
    const state = watched.mint(1, CALL);
    clock.now = START + 600_000;
    expect(() => watched.verify(state, CALL)).toThrow();
    clock.now = START;
    for (const [, refused] of REFUSALS.slice(0, 6)) expect(() => watched.verify(refused, CALL)).toThrow();
    expect(bind).toHaveBeenCalledTimes(1);
    expect(watched.verify(state, CALL)).toBe(1);
    expect(bind).toHaveBeenCalledTimes(2);
  });

  it('does not use up the state of another', async () => {
    const consume = vi.fn(async () => true);
    const once = singleUse(consume);
    for (const [, state, call = CALL] of REFUSALS) await expect(once.verify(state, call)).rejects.toThrow();
    expect(consume).not.toHaveBeenCalled();
    await expect(once.verify(once.mint(1, CALL), CALL)).resolves.toBe(1);
    expect(consume).toHaveBeenCalledTimes(1);
  });
});
