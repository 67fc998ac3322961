/** The ends of the calls of one connection: answered, refused, cancelled by the client, or cut off with the connection. */
import type { HoldOutcome } from '../core/events.ts';
import { errorAnswer, INTERNAL_ERROR, type JsonRpcAnswer } from '../core/json-rpc.ts';
import { EXPLANATIONS, isAskingMethod, type Outcome, refusalAnswer, targetOf } from '../core/outcome.ts';
import type { CutOff } from './asking.ts';
import type { AskingCall, Call } from './call.ts';
import type { Calls } from './calls.ts';
import type { Refusal } from './gate.ts';
import type { InputEnd } from './input-end.ts';
import { reportHoldEnd } from './report.ts';
import type { Session } from './session.ts';

export class CallEnds {
  readonly #session: Session;
  readonly #calls: Calls;
  readonly #inputEnd: InputEnd;

  constructor(session: Session, calls: Calls, inputEnd: InputEnd) {
    this.#session = session;
    this.#calls = calls;
    this.#inputEnd = inputEnd;
  }

  /** Ends `call` with `answer`. */
  end(call: Call, outcome: HoldOutcome, answer: JsonRpcAnswer): void {
    this.close(call, outcome);
    const sent = this.reply(answer);
    call.asking?.place?.noteAnswer(sent);
  }

  refuse(call: AskingCall, { detail, ...members }: Refusal): void {
    const { request, asking } = call;
    const outcome: Outcome = { ...members, method: request.method, target: asking.target, round: asking.round };
    const explanation = `${EXPLANATIONS[members.reason]} (${detail}).`;
    this.end(call, members.reason, refusalAnswer(request.id, outcome, explanation));
  }

  /** Ends a call whose author made a mistake, which is an event too. */
  fail(call: Call, mistake: string): void {
    const { id, method, params = {} } = call.request;
    const target = isAskingMethod(method) ? targetOf(method, params) : '';
    this.#session.emitter.emit({ type: 'error', message: mistake, method, target });
    const message = `${method} cannot ask: ${mistake}`;
    this.end(call, 'server-error', errorAnswer(id, { code: INTERNAL_ERROR, message }));
  }

  /** Sends an answer of the shim's own. */
  reply(answer: JsonRpcAnswer): Promise<void> {
    const { wire } = this.#session;
    return wire.send(answer).catch((error: unknown) => {
      wire.reportError(new Error('The answer to a call could not be sent', { cause: error }));
    });
  }

  /** The client cancels `call`. */
  cancel(call: Call): void {
    const { id } = call.request;
    // SDK v1 does not hear the cancellation of these ids, so its answer is still to come, and to be dropped.
    const isUnheard = id === 0 || id === '';
    if (call.asking?.isHeld || !isUnheard) {
      this.cutOff(call, 'call-cancelled');
      return;
    }
    call.isOver = true;
    call.asking?.place?.leave();
    reportHoldEnd(this.#session, call, 'call-cancelled');
  }

  /** Ends a call from outside. What it is waiting for stops at once; its hold tells its own end, last. */
  cutOff(call: Call, why: CutOff): void {
    const { asking } = call;
    if (!asking?.isHeld) {
      this.close(call, why);
      return;
    }
    call.isOver = true;
    this.#calls.delete(call);
    asking.place?.leave();
    asking.cutBy = why;
    asking.stopWaiting?.(why);
    this.#inputEnd.check();
  }

  /** Nobody is left to answer a question: ends every hold without a word. */
  cutOffHolds(): void {
    this.#leaveQueue();
    for (const call of this.#calls.list()) if (call.asking?.isHeld) this.cutOff(call, 'closed');
  }

  cutOffAll(): void {
    this.#leaveQueue();
    for (const call of this.#calls.list()) this.cutOff(call, 'closed');
  }

  /** Before the held calls of a connection end: their places are for others, not for the next of its own. */
  #leaveQueue(): void {
    for (const { asking } of this.#calls.list()) if (asking?.place?.state === 'queued') asking.place.leave();
  }

  /** `call` is over, without a word of the shim's own. */
  close(call: Call, outcome: HoldOutcome): void {
    call.isOver = true;
    this.#calls.delete(call);
    call.asking?.place?.leave();
    reportHoldEnd(this.#session, call, outcome);
    this.#inputEnd.check();
  }
}
