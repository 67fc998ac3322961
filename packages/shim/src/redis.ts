/**
 * mcp-dual-era/redis: single use of a `requestState` across processes.
 *
 * @module
 */
import pTimeout from 'p-timeout';
import { integer, knownOptions, LONGEST_DELAY, object, wrongType } from './core/option-checks.ts';
import type { SingleUseStore } from './core/request-state.ts';

/** What is used of a client of the `redis` package. */
export interface RedisClient {
  set(key: string, value: string, options: { NX: true; PX: number }): Promise<unknown>;
}

export interface RedisSingleUseOptions {
  /** Begins the name of every key. @defaultValue 'mcp-dual-era:state:' */
  readonly prefix?: string | undefined;
  /**
   * Milliseconds after which a command that is not answered counts as failed: 1 to 2 147 483 647. A client that has lost
   * its server would otherwise keep it until it is back. @defaultValue 5 000
   */
  readonly timeout?: number | undefined;
  /** Replaces the platform's clock, for tests. @defaultValue the platform's own */
  readonly ports?: { readonly now?: () => number } | undefined;
}

// For a process whose clock is behind, a state expires later than for the one that used it.
const CLOCK_SKEW = 60_000;

/**
 * A store for `singleUse` that all processes on one Redis share: `SET key value NX PX`, which is atomic. It holds one key
 * for each used state until that can be used no more.
 *
 * @param client - a connected client of the `redis` package, 4 to 6. When a command of it rejects or is not
 * answered in time, the state is refused.
 * @throws TypeError when `client` is none, or an option has the wrong type.
 */
export function redisSingleUseStore(client: RedisClient, options: RedisSingleUseOptions = {}): SingleUseStore {
  // What is given in its place may be a URL with a password in it, so it is not repeated.
  if (typeof client?.set !== 'function') {
    throw new TypeError(`client must be a connected client of the redis package, got ${typeof client}`);
  }
  object('options', options);
  knownOptions('options', options, ['prefix', 'timeout', 'ports']);
  const { prefix = 'mcp-dual-era:state:', timeout = 5_000 } = options;
  if (typeof prefix !== 'string') throw wrongType('prefix', 'a string', prefix);
  integer('timeout', timeout, LONGEST_DELAY);
  const now = options.ports?.now ?? Date.now;
  return {
    async consume(id, expiresAt) {
      const left = Math.max(0, Math.ceil(expiresAt - now())) + CLOCK_SKEW;
      const command = client.set(`${prefix}${id}`, '1', { NX: true, PX: left });
      return (await pTimeout(Promise.resolve(command), { milliseconds: timeout })) === 'OK';
    },
  };
}
