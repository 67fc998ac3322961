/** How an ask ends: its handler runs again, its call ends, or it was cut off from outside. */
import type { AskMistake } from '../core/check-ask.ts';
import type { AskingCall } from './call.ts';
import { deliverAgain } from './deliver.ts';
import type { Refusal } from './gate.ts';
import { reportRoundEnd } from './report.ts';
import type { Session } from './session.ts';

/** Why the call ends here; undefined where the handler runs again, and for a call that was cut off, which says by what. */
export type AskFailure = AskMistake | { readonly refusal: Refusal } | undefined;

/** Ends a round whose answers do not reach the handler: with `refusal`, unless the call was cut off. */
export function endRound(session: Session, call: AskingCall, refusal: Refusal): AskFailure {
  const { cutBy } = call.asking;
  reportRoundEnd(session, call, { outcome: cutBy ?? refusal.reason, handlerRan: false });
  return cutBy === undefined ? { refusal } : undefined;
}

/** Ends a round that is through: runs the handler again, unless the call was cut off. */
export function reenter(session: Session, call: AskingCall): undefined {
  const { asking } = call;
  if (asking.cutBy !== undefined) {
    reportRoundEnd(session, call, { outcome: asking.cutBy, handlerRan: false });
    return;
  }
  asking.hasReentered = true;
  asking.isHeld = false;
  reportRoundEnd(session, call, { outcome: 'answered', handlerRan: true });
  // Whoever heard of it may have ended the call.
  if (!call.isOver) deliverAgain(session, call);
}
