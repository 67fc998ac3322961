/** What a call is told that has no place among the held ones, or has lost it to a drain. */
import type { HoldPlace } from '../core/hold-place.ts';
import type { HoldLimit } from '../core/hold-pool.ts';
import type { Asking } from './asking.ts';
import type { Refusal } from './gate.ts';
import type { HoldsCore } from './holds.ts';
import type { Session } from './session.ts';

const LIMITS: Readonly<Record<HoldLimit, string>> = {
  max: 'every place is taken',
  maxPerConnection: 'this connection has as many as it may',
  maxPerSubject: 'this caller has as many as it may',
  draining: 'the server is shutting down',
};

export function busyRefusal(session: Session, asking: Asking): Refusal {
  // Where holds are not counted, no call comes here.
  const holds = session.holds as HoldsCore;
  const { holder } = asking.place as HoldPlace;
  // There may be room again by now.
  const limit = holds.pool.limitFor(holder) ?? 'max';
  const retryAfter = holds.retryAfter(limit);
  return {
    reason: 'busy',
    retryAfter,
    detail: `${LIMITS[limit]}: try again in ${Math.ceil(retryAfter / 1_000)} s`,
  };
}
