/** The events of a call's rounds, legs and hold. The times are for who hears them alone. */
import type { CheckedRequest } from '../core/check-ask.ts';
import type { HoldOutcome, LegOutcome } from '../core/events.ts';
import type { AskingCall, Call } from './call.ts';
import type { Session } from './session.ts';
import { traceHold } from './trace.ts';

/** The time, where somebody wants to know it. */
export function timeOf({ emitter, ports }: Session): number {
  return emitter.isHeard ? ports.clock.now() : 0;
}

export function reportRoundStart(session: Session, call: AskingCall, legs: number): void {
  const { emitter, ports } = session;
  if (!emitter.isHeard) return;
  const { asking } = call;
  asking.roundStartedAt = ports.clock.now();
  asking.legs = legs;
  if (legs > 0 && asking.heldSince === undefined) {
    asking.heldSince = asking.roundStartedAt;
    asking.place?.begin();
    traceHold(session.options.telemetry, call);
  }
  emitter.emit({ type: 'round-start', ...nameRound(call), legs });
}

export function reportRoundEnd(
  { emitter, ports }: Session,
  call: AskingCall,
  end: { readonly outcome: HoldOutcome; readonly handlerRan: boolean },
): void {
  if (!emitter.isHeard) return;
  const { legs, roundStartedAt } = call.asking;
  emitter.emit({ type: 'round-end', ...nameRound(call), legs, ...end, ms: ports.clock.now() - roundStartedAt });
}

export function reportLegStart({ emitter }: Session, call: AskingCall, { key, kind }: CheckedRequest): void {
  if (!emitter.isHeard) return;
  emitter.emit({ type: 'leg-start', ...nameRound(call), key, kind });
}

export function reportLegEnd(
  { emitter, ports }: Session,
  call: AskingCall,
  leg: { readonly request: CheckedRequest; readonly sentAt: number; readonly outcome: LegOutcome },
): void {
  if (!emitter.isHeard) return;
  const { key, kind } = leg.request;
  const ms = ports.clock.now() - leg.sentAt;
  emitter.emit({ type: 'leg-end', ...nameRound(call), key, kind, outcome: leg.outcome, ms });
}

/** Reports the end of a call that had legs out, once. */
export function reportHoldEnd({ emitter, ports }: Session, call: Call, outcome: HoldOutcome): void {
  const { request, asking } = call;
  if (asking?.heldSince === undefined) return;
  const { callId, target, round: rounds, hasReentered: handlerRan, heldSince } = asking;
  asking.heldSince = undefined;
  const ms = ports.clock.now() - heldSince;
  emitter.emit({ type: 'hold-end', callId, method: request.method, target, outcome, rounds, ms, handlerRan });
}

function nameRound({ request, asking: { callId, target, round } }: AskingCall) {
  return { callId, method: request.method, target, round };
}
