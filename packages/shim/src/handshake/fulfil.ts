/** Fulfils the asks of one connection: checks each, has it asked, and runs its handler again or ends its call. */
import { type CheckedAsk, checkAsk } from '../core/check-ask.ts';
import { asError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { errorAnswer, INTERNAL_ERROR } from '../core/json-rpc.ts';
import { CALLER_DENIED, subjectUnlessDenied } from '../core/principal.ts';
import { type AskFailure, reenter } from './ask-end.ts';
import { startAsking } from './asking.ts';
import { busyRefusal } from './busy.ts';
import type { AskingCall, Call } from './call.ts';
import type { CallEnds } from './call-ends.ts';
import { passGate } from './gate.ts';
import { QuestionRound } from './question-round.ts';
import { reportHoldEnd, reportRoundStart } from './report.ts';
import type { Session } from './session.ts';
import { stateCallOf, unsealState } from './state.ts';
import { pause } from './wait.ts';

export class Fulfilment {
  readonly #session: Session;
  readonly #ends: CallEnds;

  constructor(session: Session, ends: CallEnds) {
    this.#session = session;
    this.#ends = ends;
  }

  /** Takes over a call whose handler returned `ask`, until its next run or its end. Never rejects. */
  async take(call: Call, ask: JsonObject): Promise<void> {
    const session = this.#session;
    call.asking ??= startAsking(call.request, session.idPrefix);
    const { asking } = call;
    asking.round += 1;
    asking.isHeld = true;
    try {
      const failure = await this.#check(call as AskingCall, ask);
      // Whoever heard of the end of the round may have cut it off.
      if (asking.cutBy !== undefined) reportHoldEnd(session, call, asking.cutBy);
      else if (failure !== undefined) this.#end(call as AskingCall, failure);
    } catch (error) {
      // Whatever happens here, the caller gets an answer: a call that is held for ever would be worse than any error.
      session.wire.reportError(asError(error));
      if (call.isOver) return;
      const answer = errorAnswer(call.request.id, { code: INTERNAL_ERROR, message: 'Internal error' });
      this.#ends.end(call, 'server-error', answer);
    }
  }

  #end(call: AskingCall, failure: NonNullable<AskFailure>): void {
    if ('mistake' in failure) this.#ends.fail(call, failure.mistake);
    else this.#ends.refuse(call, failure.refusal);
  }

  #check(call: AskingCall, ask: JsonObject): AskFailure | Promise<AskFailure> {
    const { options } = this.#session;
    const caller = subjectUnlessDenied(call.extra?.authInfo, options.subject);
    if (caller === undefined) return { mistake: CALLER_DENIED };
    const checked = checkAsk(ask, options.maxStateBytes);
    if ('mistake' in checked) return checked;
    const { asking } = call;
    asking.subject = caller.subject;
    if (asking.answers !== undefined) asking.repeated.remember(asking.answers.asked);
    asking.answers = undefined;
    asking.state = checked.state;
    return checked.sealed === undefined ? this.#pass(call, checked) : this.#unseal(call, checked, checked.sealed);
  }

  async #unseal(call: AskingCall, ask: CheckedAsk, sealed: string): Promise<AskFailure> {
    const { asking } = call;
    const stop = new AbortController();
    asking.stopWaiting = () => stop.abort();
    const state = await unsealState(this.#session, stateCallOf(call), { sealed, signal: stop.signal });
    asking.stopWaiting = undefined;
    if (asking.cutBy !== undefined) return undefined;
    if (typeof state !== 'string') return state;
    asking.state = state;
    return this.#pass(call, ask);
  }

  #pass(call: AskingCall, ask: CheckedAsk): AskFailure | Promise<AskFailure> {
    const gate = passGate(this.#session, call.asking, ask);
    if ('refusal' in gate) return gate;
    return gate.legs.length === 0 ? this.#pause(call) : new QuestionRound(this.#session, call, gate.legs).run();
  }

  /** A round without questions. */
  async #pause(call: AskingCall): Promise<AskFailure> {
    const { asking } = call;
    if (asking.place?.isDrained) return { refusal: busyRefusal(this.#session, asking) };
    reportRoundStart(this.#session, call, 0);
    await pause(asking, this.#session.ports.clock);
    return reenter(this.#session, call);
  }
}
