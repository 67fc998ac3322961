/**
 * mcp-dual-era/redis: single use of a `requestState` across processes.
 *
 * @module
 */
import { object, wrongType } from './core/option-checks.ts';
import type { SingleUseStore } from './core/request-state.ts';

/** What is used of a client of the `redis` package. */
export interface RedisClient {
  set(key: string, value: string, options: { NX: true; PX: number }): Promise<unknown>;
}

export interface RedisSingleUseOptions {
  /** Begins the name of every key. @defaultValue 'mcp-dual-era:state:' */
  readonly prefix?: string | undefined;
  /** Replaces the platform's clock, for tests. @defaultValue the platform's own */
  readonly ports?: { readonly now?: () => number } | undefined;
}

// For a process whose clock is behind, a state expires later than for the one that used it.
const CLOCK_SKEW = 60_000;

/**
 * A store for `singleUse` that all processes on one Redis share: `SET key value NX PX`, which is atomic. It holds one key
 * for each used state until that can be used no more.
 *
 * @param client - a connected client of the `redis` package, 4 to 6. When a command of it rejects, the state is refused.
 * @throws TypeError when `client` is none, or an option has the wrong type.
 */
export function redisSingleUseStore(client: RedisClient, options: RedisSingleUseOptions = {}): SingleUseStore {
  if (typeof client?.set !== 'function') throw wrongType('client', 'a client of the redis package', client);
  object('options', options);
  const { prefix = 'mcp-dual-era:state:' } = options;
  if (typeof prefix !== 'string') throw wrongType('prefix', 'a string', prefix);
  const now = options.ports?.now ?? Date.now;
  return {
    async consume(id, expiresAt) {
      const left = Math.max(0, Math.ceil(expiresAt - now())) + CLOCK_SKEW;
      return (await client.set(`${prefix}${id}`, '1', { NX: true, PX: left })) === 'OK';
    },
  };
}
