/** The events of a call's rounds and hold, and the answers that end a call without its handler's result. */
import type { HoldOutcome } from '../core/events.ts';
import { errorAnswer, INTERNAL_ERROR, type JsonRpcAnswer } from '../core/json-rpc.ts';
import { EXPLANATIONS, isAskingMethod, type Outcome, refusalAnswer, targetOf } from '../core/outcome.ts';
import { traceContextIn } from '../core/telemetry.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import type { Asking, Call } from './call.ts';
import type { Refusal } from './gate.ts';
import type { Session } from './session.ts';

export function reportRoundStart(session: Session, call: Call, asking: Asking, legs: number): void {
  const { emitter, ports } = session;
  // The times are for the hook alone.
  if (!emitter.isHeard) return;
  asking.roundStartedAt = ports.clock.now();
  asking.legs = legs;
  if (legs > 0 && !asking.hasHeld) {
    asking.hasHeld = true;
    asking.heldSince = asking.roundStartedAt;
    asking.place?.begin();
    reportHoldStart(session, call, asking);
  }
  emitter.emit({ type: 'round-start', ...nameRound(call, asking), legs });
}

function reportHoldStart({ options }: Session, { request }: Call, { callId, target }: Asking): void {
  try {
    const context = traceContextIn(request.params?.['_meta']);
    isUnwantedPromise(options.telemetry?.onHold({ callId, method: request.method, target }, context));
  } catch {
    // Who measures must never change a call.
  }
}

export function reportRoundEnd(
  session: Session,
  call: Call,
  asking: Asking,
  end: { readonly outcome: HoldOutcome; readonly handlerRan: boolean },
): void {
  const { emitter, ports } = session;
  if (!emitter.isHeard) return;
  const ms = ports.clock.now() - asking.roundStartedAt;
  emitter.emit({ type: 'round-end', ...nameRound(call, asking), legs: asking.legs, ...end, ms });
}

/** Reports the end of a call that had legs out, once. */
export function reportHoldEnd({ emitter, ports }: Session, call: Call, outcome: HoldOutcome): void {
  const { asking } = call;
  if (asking?.heldSince === undefined || !emitter.isHeard) return;
  const { round: rounds, hasReentered: handlerRan, heldSince } = asking;
  asking.heldSince = undefined;
  const { round: _round, ...name } = nameRound(call, asking);
  emitter.emit({ type: 'hold-end', ...name, outcome, rounds, ms: ports.clock.now() - heldSince, handlerRan });
}

function nameRound({ request }: Call, { callId, target, round }: Asking) {
  return { callId, method: request.method, target, round };
}

/** The answer to a call whose author made a mistake, which is reported as an event too. */
export function serverErrorAnswer({ emitter }: Session, { request, asking }: Call, mistake: string): JsonRpcAnswer {
  const { id, method, params = {} } = request;
  const target = asking?.target ?? (isAskingMethod(method) ? targetOf(method, params) : '');
  emitter.emit({ type: 'error', message: mistake, method, target });
  return errorAnswer(id, { code: INTERNAL_ERROR, message: `${method} cannot ask: ${mistake}` });
}

/** The answer to a call that is refused. */
export function refusedAnswer({ request }: Call, asking: Asking, { detail, ...members }: Refusal): JsonRpcAnswer {
  const outcome: Outcome = { ...members, method: request.method, target: asking.target, round: asking.round };
  return refusalAnswer(request.id, outcome, `${EXPLANATIONS[members.reason]} (${detail}).`);
}
