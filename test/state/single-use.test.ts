import {
  createRequestStateCodec,
  type InMemorySingleUseOptions,
  inMemorySingleUseStore,
  type SingleUseStore,
} from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { CALL, FORMS, KEY, rejectionOf, START } from './sealing.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const codecWith = (singleUse: SingleUseStore, encrypt = false) =>
  createRequestStateCodec({ keys: KEY, encrypt, singleUse, ports: { now: () => START } });

describe.each(FORMS)('[F41] [Q8a] singleUse, %s', (_form, encrypt) => {
  it('accepts a state once', async () => {
    const codec = codecWith(inMemorySingleUseStore({ ports: { now: () => START } }), encrypt);
    const state = codec.mint({ step: 1 }, CALL);
    expect(await codec.verify(state, CALL)).toStrictEqual({ step: 1 });
    expect(await rejectionOf(codec.verify(state, CALL))).toBe('used');
    expect(await rejectionOf(codec.verify(state, CALL))).toBe('used');
  });

  it('accepts one of ten that come at the same instant', async () => {
    const codec = codecWith(inMemorySingleUseStore({ ports: { now: () => START } }), encrypt);
    const state = codec.mint('go', CALL);
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => codec.verify(state, CALL)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toStrictEqual([{ status: 'fulfilled', value: 'go' }]);
  });

  it('tells states apart, those of equal payloads too', async () => {
    const codec = codecWith(inMemorySingleUseStore({ ports: { now: () => START } }), encrypt);
    const [first, second] = [codec.mint(1, CALL), codec.mint(1, CALL)];
    expect(first).not.toBe(second);
    expect(await Promise.all([codec.verify(first, CALL), codec.verify(second, CALL)])).toStrictEqual([1, 1]);
  });

  it('gives its store a random id, and the time from which the state expires', async () => {
    const given: unknown[][] = [];
    const consume = async (...args: unknown[]) => given.push(args) > 0;
    const codec = codecWith({ consume }, encrypt);
    await codec.verify(codec.mint(1, CALL), CALL);
    await codec.verify(codec.mint(1, CALL), CALL);
    expect(given).toStrictEqual([
      [expect.stringMatching(UUID), START + 600_000],
      [expect.stringMatching(UUID), START + 600_000],
    ]);
    expect(given[0]?.[0]).not.toBe(given[1]?.[0]);
  });

  it('calls its store as a method', async () => {
    class Store implements SingleUseStore {
      readonly ids: string[] = [];
      async consume(id: string): Promise<boolean> {
        this.ids.push(id);
        return true;
      }
    }
    const store = new Store();
    const codec = codecWith(store, encrypt);
    await codec.verify(codec.mint(1, CALL), CALL);
    expect(store.ids).toHaveLength(1);
  });

  it('refuses a state of the same key that was minted without it', async () => {
    const codec = codecWith(inMemorySingleUseStore(), encrypt);
    const state = createRequestStateCodec({ keys: KEY, ports: { now: () => START } }).mint(1, CALL);
    expect(await rejectionOf(codec.verify(state, CALL))).toBe('used');
  });

  it('does not use up a state that is refused for another reason', async () => {
    const codec = codecWith(inMemorySingleUseStore({ ports: { now: () => START } }), encrypt);
    const state = codec.mint(1, CALL);
    expect(await rejectionOf(codec.verify(state, { binding: 'x' }))).toBe('wrong-binding');
    expect(await codec.verify(state, CALL)).toBe(1);
  });
});

describe('[Q8b] a store that fails', () => {
  it.each<[string, () => unknown, string]>([
    ['rejects', () => Promise.reject(new Error('ECONNREFUSED')), 'store-failed'],
    ['rejects with nothing', () => Promise.reject(), 'store-failed'],
    [
      'throws',
      () => {
        throw new Error('not connected');
      },
      'store-failed',
    ],
    ['says false', async () => false, 'used'],
    ['says nothing', () => undefined, 'used'],
    ['says null', async () => null, 'used'],
    ['says 1', async () => 1, 'used'],
    ['says OK', async () => 'OK', 'used'],
    ['says "true"', async () => 'true', 'used'],
    ['gives an object', async () => ({ ok: true }), 'used'],
  ])('denies: one that %s', async (_name, consume, cause) => {
    const codec = codecWith({ consume } as never);
    expect(await rejectionOf(codec.verify(codec.mint(1, CALL), CALL))).toBe(cause);
  });

  it('accepts nothing but true, also where it comes without a promise', async () => {
    const codec = codecWith({ consume: () => true } as never);
    expect(await codec.verify(codec.mint(1, CALL), CALL)).toBe(1);
  });
});

describe('[Q8c] the store in memory', () => {
  const clock = { now: START };
  const open = (maxEntries?: number) => {
    clock.now = START;
    return inMemorySingleUseStore({ maxEntries, ports: { now: () => clock.now } });
  };

  it('accepts an id once until it expires, and has forgotten it then', async () => {
    const store = open();
    expect(await store.consume('a', START + 1_000)).toBe(true);
    clock.now = START + 999;
    expect(await store.consume('a', START + 1_000)).toBe(false);
    clock.now = START + 1_000;
    expect(await store.consume('a', START + 2_000)).toBe(true);
  });

  it('refuses every id while it is full of unexpired ones', async () => {
    const store = open(3);
    for (const id of ['a', 'b', 'c']) expect(await store.consume(id, START + 1_000)).toBe(true);
    expect(await store.consume('d', START + 1_000)).toBe(false);
    clock.now = START + 999;
    expect(await store.consume('e', START + 2_000)).toBe(false);
  });

  it('has room again as soon as one has expired', async () => {
    const store = open(2);
    await store.consume('long', START + 9_000);
    await store.consume('short', START + 1_000);
    clock.now = START + 1_000;
    expect(await store.consume('c', START + 2_000)).toBe(true);
    expect(await store.consume('d', START + 2_000)).toBe(false);
    expect(await store.consume('long', START + 9_000)).toBe(false);
  });

  it('finds an expired one behind many that have not', async () => {
    const store = open(100);
    for (let index = 0; index < 99; index += 1) await store.consume(`long ${index}`, START + 9_000);
    await store.consume('short', START + 1_000);
    expect(await store.consume('too many', START + 1_000)).toBe(false);
    clock.now = START + 1_000;
    expect(await store.consume('fits', START + 9_000)).toBe(true);
  });

  it('holds 100 000 ids by default', async () => {
    const store = open();
    const taken = await Promise.all(
      Array.from({ length: 100_000 }, (_, index) => store.consume(`${index}`, START + 1)),
    );
    expect(taken.every((isFirst) => isFirst)).toBe(true);
    expect(await store.consume('one more', START + 1)).toBe(false);
    clock.now = START + 1;
    expect(await store.consume('one more', START + 2)).toBe(true);
  });

  it('runs on the clock of the platform', async () => {
    const store = inMemorySingleUseStore({ maxEntries: 1 });
    await store.consume('a', Date.now() - 1);
    expect(await store.consume('b', Date.now() + 60_000)).toBe(true);
    expect(await store.consume('c', Date.now() + 60_000)).toBe(false);
  });

  it('takes no id of another for its own, whatever its name', async () => {
    const store = open();
    for (const id of ['__proto__', 'constructor', 'toString', ''])
      expect(await store.consume(id, START + 1)).toBe(true);
  });

  it.each<[unknown, Error]>([
    ['100', new TypeError('maxEntries must be a number, got "100"')],
    [null, new TypeError('maxEntries must be a number, got null')],
    [0, new RangeError('maxEntries must be an integer from 1 to 9007199254740991, got 0')],
    [1.5, new RangeError('maxEntries must be an integer from 1 to 9007199254740991, got 1.5')],
    [Number.NaN, new RangeError('maxEntries must be an integer from 1 to 9007199254740991, got NaN')],
    [
      Number.POSITIVE_INFINITY,
      new RangeError('maxEntries must be an integer from 1 to 9007199254740991, got Infinity'),
    ],
  ])('has a maxEntries of at least 1, not %j', (maxEntries, error) => {
    expect(() => inMemorySingleUseStore({ maxEntries } as InMemorySingleUseOptions)).toThrow(error);
  });

  it.each<[unknown, string]>([
    [null, 'options must be an object, got null'],
    [7, 'options must be an object, got 7'],
    ['100', 'options must be an object, got a string'],
  ])('has options that are an object, not %j', (options, message) => {
    expect(() => inMemorySingleUseStore(options as never)).toThrow(new TypeError(message));
  });
});
