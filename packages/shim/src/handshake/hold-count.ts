/** A call counts as held from its first leg until it ends. */
import type { Asking, Call } from './call.ts';
import type { Session } from './session.ts';

export function countHold({ holdCount }: Session, asking: Asking): void {
  if (holdCount === undefined || asking.isCounted) return;
  asking.isCounted = true;
  holdCount.held += 1;
}

export function releaseHold({ holdCount }: Session, { asking }: Call): void {
  if (holdCount === undefined || !asking?.isCounted) return;
  asking.isCounted = false;
  holdCount.held -= 1;
}
