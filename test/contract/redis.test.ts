import { createRequestStateCodec } from 'mcp-dual-era';
import { type RedisClient, redisSingleUseStore } from 'mcp-dual-era/redis';
import { createClient } from 'redis';
import { createClient as createClient4 } from 'redis-v4';
import { createClient as createClient6 } from 'redis-v6';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { forked } from '../state/forked.ts';
import { CALL, KEY, rejectionOf, START } from '../state/sealing.ts';
import { HAS_REDIS, type RedisServer, startRedis } from './redis-server.ts';

const PROCESS = new URL('redis-process.ts', import.meta.url);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Each major of the client, whose type the store has to take as it is. */
const CLIENTS = {
  4: (path: string) => {
    const client = createClient4({ socket: { path } });
    return { client, store: redisSingleUseStore(client) };
  },
  5: (path: string) => {
    const client = createClient({ socket: { path, tls: false } });
    return { client, store: redisSingleUseStore(client) };
  },
  6: (path: string) => {
    const client = createClient6({ socket: { path, tls: false } });
    return { client, store: redisSingleUseStore(client) };
  },
};

if (!HAS_REDIS) process.stderr.write('SKIPPED: the tests over a real Redis, for want of a redis-server on the PATH\n');

it('has a redis-server where one is required', () => {
  expect(HAS_REDIS || process.env['REQUIRE_REDIS'] !== '1').toBe(true);
});

describe.skipIf(!HAS_REDIS)('[Q8d] the store over a real Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  const connect = async () => {
    const client = createClient({ socket: { path: redis.path, tls: false } });
    await client.connect();
    onTestFinished(() => client.close());
    return client;
  };

  it('accepts an id once, of all processes on one Redis', async () => {
    const [first, second] = [redisSingleUseStore(await connect()), redisSingleUseStore(await connect())];
    const expiresAt = Date.now() + 60_000;
    expect(await first.consume('a', expiresAt)).toBe(true);
    expect(await second.consume('a', expiresAt)).toBe(false);
    expect(await first.consume('a', expiresAt)).toBe(false);
    expect(await second.consume('b', expiresAt)).toBe(true);
  });

  it('accepts one of a hundred that come at the same instant', async () => {
    const stores = [redisSingleUseStore(await connect()), redisSingleUseStore(await connect())];
    const expiresAt = Date.now() + 60_000;
    const taken = await Promise.all(Array.from({ length: 100 }, (_, n) => stores[n % 2]?.consume('race', expiresAt)));
    expect(taken.filter((isFirst) => isFirst)).toHaveLength(1);
  });

  it('[F41] of two processes that get the same retry at the same instant, one is refused', async () => {
    const minting = createRequestStateCodec({ keys: KEY, singleUse: { consume: async () => true } });
    const [first, second] = [forked(PROCESS, [redis.path]), forked(PROCESS, [redis.path])];
    await Promise.all([first.ask({}), second.ask({})]);
    for (let round = 0; round < 20; round += 1) {
      const verify = minting.mint({ round }, CALL);
      const ends = await Promise.all([first.ask({ verify }), second.ask({ verify })]);
      expect(ends).toContainEqual({ payload: { round } });
      expect(ends).toContainEqual({ cause: 'used' });
      expect(await first.ask({ verify })).toStrictEqual({ cause: 'used' });
      expect(await second.ask({ verify })).toStrictEqual({ cause: 'used' });
    }
  });

  it('keeps one key for each used id, named by its prefix, until a minute after the state has expired', async () => {
    const client = await connect();
    await client.flushAll();
    await redisSingleUseStore(client).consume('plain', Date.now() + 600_000);
    await redisSingleUseStore(client, { prefix: 'app:' }).consume('prefixed', Date.now() + 600_000);
    await redisSingleUseStore(client, { prefix: '' }).consume('bare', Date.now() - 600_000);
    expect((await client.keys('*')).sort()).toStrictEqual(['app:prefixed', 'bare', 'mcp-dual-era:state:plain']);
    for (const key of ['app:prefixed', 'mcp-dual-era:state:plain']) {
      const left = await client.pTTL(key);
      expect(left).toBeGreaterThan(640_000);
      expect(left).toBeLessThanOrEqual(660_000);
    }
    expect(await client.pTTL('bare')).toBeLessThanOrEqual(60_000);
  });

  it('holds ids and nothing of a state', async () => {
    const client = await connect();
    await client.flushAll();
    const codec = createRequestStateCodec({ keys: KEY, singleUse: redisSingleUseStore(client, { prefix: '' }) });
    await codec.verify(codec.mint({ secret: 'payload' }, CALL), CALL);
    const [key = ''] = await client.keys('*');
    expect(key).toMatch(UUID);
    expect(await client.get(key)).toBe('1');
  });

  it.each(Object.entries(CLIENTS))('works with the client of redis %s', async (version, create) => {
    const { client, store } = create(redis.path);
    await client.connect();
    onTestFinished(async () => void (await client.quit()));
    const id = `client ${version}`;
    expect(await store.consume(id, Date.now() + 60_000)).toBe(true);
    expect(await store.consume(id, Date.now() + 60_000)).toBe(false);
  });

  it('denies when the connection is closed', async () => {
    const client = createClient({ socket: { path: redis.path, tls: false } });
    await client.connect();
    const codec = createRequestStateCodec({ keys: KEY, singleUse: redisSingleUseStore(client) });
    const state = codec.mint(1, CALL);
    await client.close();
    expect(await rejectionOf(codec.verify(state, CALL))).toBe('store-failed');
  });

  it('denies when Redis is gone, and does not wait for it to come back', async () => {
    const own = await startRedis();
    const client = createClient({ socket: { path: own.path, tls: false, reconnectStrategy: false } });
    client.on('error', () => undefined);
    await client.connect();
    const codec = createRequestStateCodec({ keys: KEY, singleUse: redisSingleUseStore(client) });
    const state = codec.mint(1, CALL);
    await own.stop();
    expect(await rejectionOf(codec.verify(state, CALL))).toBe('store-failed');
  });

  it('denies when Redis refuses the command', async () => {
    const client = await connect();
    const store = redisSingleUseStore(client);
    const codec = createRequestStateCodec({
      keys: KEY,
      // Longer than any time that Redis can keep.
      singleUse: { consume: (id) => store.consume(id, Number.MAX_VALUE) },
    });
    expect(await rejectionOf(codec.verify(codec.mint(1, CALL), CALL))).toBe('store-failed');
  });
});

describe('[Q8d] the store over Redis', () => {
  const storeOf = (answer: unknown, options = {}) => {
    const commands: unknown[][] = [];
    const client: RedisClient = {
      set: async (...command) => {
        commands.push(command);
        return answer;
      },
    };
    return { commands, store: redisSingleUseStore(client, { ports: { now: () => START }, ...options }) };
  };

  it('sends one SET with NX and PX, which is atomic', async () => {
    const { commands, store } = storeOf('OK');
    expect(await store.consume('id', START + 600_000)).toBe(true);
    expect(commands).toStrictEqual([['mcp-dual-era:state:id', '1', { NX: true, PX: 660_000 }]]);
  });

  it('sends whole milliseconds, and never none', async () => {
    const { commands, store } = storeOf('OK');
    await store.consume('fraction', START + 0.25);
    await store.consume('past', START - 600_000);
    expect(commands.map(([, , options]) => options)).toStrictEqual([
      { NX: true, PX: 60_001 },
      { NX: true, PX: 60_000 },
    ]);
  });

  it.each([[null], [undefined], [''], ['QUEUED'], [true], [1], [Buffer.from('OK')]])(
    'takes %j for no',
    async (answer) => {
      expect(await storeOf(answer).store.consume('id', START + 1)).toBe(false);
    },
  );

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['object', null],
    ['object', {}],
    ['string', 'redis://user:secret@localhost'],
  ])('needs a client, not %s', (got, client) => {
    const build = () => redisSingleUseStore(client as never);
    expect(build).toThrow(TypeError);
    expect(build).toThrow(new RegExp(`, got ${got}$`));
  });

  it('denies when Redis does not answer in time', async () => {
    const store = redisSingleUseStore({ set: () => new Promise(() => undefined) }, { timeout: 1 });
    const codec = createRequestStateCodec({ keys: KEY, singleUse: store });
    expect(await rejectionOf(codec.verify(codec.mint(1, CALL), CALL))).toBe('store-failed');
  });

  it.each([
    ['1s', new TypeError('timeout must be a number, got "1s"')],
    [0, new RangeError('timeout must be an integer from 1 to 2147483647, got 0')],
  ])('refuses the timeout %j', (timeout, error) => {
    expect(() => storeOf('OK', { timeout })).toThrow(error);
  });

  it('needs a prefix that is a string', () => {
    expect(() => storeOf('OK', { prefix: 7 })).toThrow(new TypeError('prefix must be a string, got 7'));
  });
});
