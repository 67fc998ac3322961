/** Remembers, in this process, which states were used. */
import { integer, knownOptions, object } from '../core/option-checks.ts';
import type { SingleUseStore } from '../core/request-state.ts';

export interface InMemorySingleUseOptions {
  /** How many unexpired ids are kept; when it is full of them, every state is refused. @defaultValue 100 000 */
  readonly maxEntries?: number | undefined;
  /** Replaces the platform's clock, for tests. @defaultValue the platform's own */
  readonly ports?: { readonly now?: () => number } | undefined;
}

const SWEPT_AT_ONCE = 16;

/**
 * A store for `singleUse` that one process can use. Several processes need a shared one: `mcp-dual-era/redis`.
 *
 * @throws TypeError or RangeError when `maxEntries` is no integer >= 1.
 */
export function inMemorySingleUseStore(options: InMemorySingleUseOptions = {}): SingleUseStore {
  object('options', options);
  knownOptions('options', options, ['maxEntries', 'ports']);
  const { maxEntries = 100_000 } = options;
  integer('maxEntries', maxEntries);
  const now = options.ports?.now ?? Date.now;
  const used = new Map<string, number>();
  let fullUntil = 0;

  // Ids expire in about the order they came in, so a look at the oldest few keeps the store small without a timer.
  const sweep = (most: number): void => {
    let seen = 0;
    for (const [id, expiresAt] of used) {
      if (seen >= most) return;
      seen += 1;
      if (expiresAt <= now()) used.delete(id);
    }
  };

  return {
    consume: (id, expiresAt) => {
      sweep(SWEPT_AT_ONCE);
      // Walked through as a whole only when there is something to find, so that a full store refuses at once.
      if (used.size >= maxEntries && now() >= fullUntil) {
        sweep(used.size);
        fullUntil = earliest(used.values());
      }
      if (used.has(id) || used.size >= maxEntries) return Promise.resolve(false);
      used.set(id, expiresAt);
      return Promise.resolve(true);
    },
  };
}

function earliest(times: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const time of times) first = Math.min(first, time);
  return first;
}
