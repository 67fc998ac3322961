/** What a call is told that has no place among the held ones, or has lost it to a drain. */
import type { HoldLimit } from '../core/hold-pool.ts';
import type { Asking } from './asking.ts';
import type { Refusal } from './gate.ts';
import type { HoldsCore } from './holds.ts';

const LIMITS: Readonly<Record<HoldLimit, string>> = {
  max: 'every place is taken',
  maxPerConnection: 'this connection has as many as it may',
  maxPerSubject: 'this caller has as many as it may',
  draining: 'the server is shutting down',
};

export function busyRefusal(holds: HoldsCore | undefined, { place }: Asking): Refusal {
  const limit = place && holds?.pool.limitFor(place.holder);
  const retryAfter = holds?.retryAfter(limit) ?? 0;
  return {
    reason: 'busy',
    retryAfter,
    detail: `${LIMITS[limit ?? 'max']}: try again in ${Math.ceil(retryAfter / 1_000)} s`,
  };
}
