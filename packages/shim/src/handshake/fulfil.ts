/** Fulfils an ask: checks it, asks the person, and runs the handler again with the answers. */
import { type CheckedAsk, checkAsk } from '../core/check-ask.ts';
import type { HoldOutcome } from '../core/events.ts';
import type { HoldPlace } from '../core/hold-pool.ts';
import type { JsonObject } from '../core/json.ts';
import { errorAnswer, INTERNAL_ERROR, type JsonRpcAnswer } from '../core/json-rpc.ts';
import { type AskingMethod, targetOf } from '../core/outcome.ts';
import { CALLER_DENIED, principalUnlessDenied, subjectKeyOf } from '../core/principal.ts';
import { RepeatedAsks } from '../core/repeated-ask.ts';
import type { Asking, Call, CutOff, StopReason } from './call.ts';
import { RunConfirmations } from './confirmations.ts';
import { deliverCall } from './deliver.ts';
import { type PreparedLeg, passGate, type Refusal } from './gate.ts';
import { type HttpExchange, hasStream } from './http-exchange.ts';
import { CallOnce } from './once-results.ts';
import { refusedAnswer, reportHoldEnd, reportRoundEnd, reportRoundStart, serverErrorAnswer } from './report.ts';
import { Round, type RoundEnd } from './round.ts';
import type { RoundAnswers } from './round-answers.ts';
import type { Session } from './session.ts';
import { mintState, stateCallOf, unsealState } from './state.ts';
import { nextTurn, pause } from './wait.ts';

/** Ends a call: forgets it, and sends the answer. */
export type EndCall = (call: Call, outcome: HoldOutcome, answer: JsonRpcAnswer) => void;

const JSON_RESPONSE =
  'the answer to this HTTP request is plain JSON, which cannot carry a question. ' +
  'Serve HTTP without enableJsonResponse to be able to ask';
const STREAM_GONE =
  'the client closed the stream of this call. With an event store on the transport it could come back for the question';
const STREAM_LOST: Refusal = { reason: 'no-channel', detail: STREAM_GONE };

/** Takes over a call whose handler returned `ask`, until its next run or its end. Never rejects. */
export async function fulfil(session: Session, call: Call, ask: JsonObject, end: EndCall): Promise<void> {
  call.asking ??= startAsking(session, call);
  const { asking } = call;
  asking.round += 1;
  asking.isHeld = true;
  try {
    const became = await new Fulfilment(session, call, asking).run(ask);
    if ('cutBy' in became) reportHoldEnd(session, call, became.cutBy);
    else if ('mistake' in became) end(call, 'server-error', serverErrorAnswer(session, call, became.mistake));
    else if ('refusal' in became) end(call, became.refusal.reason, refusedAnswer(call, asking, became.refusal));
  } catch (error) {
    // Whatever happens here, the caller gets an answer: a call that is held for ever would be worse than any error.
    session.wire.reportError(error instanceof Error ? error : new Error(String(error)));
    if (asking.cutBy !== undefined) reportHoldEnd(session, call, asking.cutBy);
    if (call.isOver) return;
    end(call, 'server-error', errorAnswer(call.request.id, { code: INTERNAL_ERROR, message: 'Internal error' }));
  }
}

let callCount = 0;

function startAsking(session: Session, { request }: Call): Asking {
  callCount += 1;
  return {
    callId: `${session.idPrefix}${callCount}`,
    target: targetOf(request.method as AskingMethod, request.params ?? {}),
    heldSince: undefined,
    roundStartedAt: 0,
    legs: 0,
    round: 0,
    pauses: 0,
    hasReentered: false,
    repeated: new RepeatedAsks(),
    answers: undefined,
    decisions: undefined,
    elicitationIds: undefined,
    place: undefined,
    isHeld: false,
    cutBy: undefined,
    stopWaiting: undefined,
  };
}

/** What became of an ask: it was answered and the handler runs again, or the call ends here. */
type AskEnd =
  | { readonly reentered: true }
  | { readonly mistake: string }
  | { readonly refusal: Refusal }
  | { readonly cutBy: CutOff };

const REENTERED: AskEnd = { reentered: true };

/** One ask on its way to the next run of the handler. */
class Fulfilment {
  readonly #session: Session;
  readonly #call: Call;
  readonly #asking: Asking;

  constructor(session: Session, call: Call, asking: Asking) {
    this.#session = session;
    this.#call = call;
    this.#asking = asking;
  }

  run(ask: JsonObject): AskEnd | Promise<AskEnd> {
    const { options } = this.#session;
    if (principalUnlessDenied(this.#call.extra?.authInfo, options.subject) === undefined)
      return { mistake: CALLER_DENIED };
    const checked = checkAsk(ask, options.maxStateBytes);
    if ('mistake' in checked) return checked;
    if (this.#asking.answers !== undefined) this.#asking.repeated.remember(this.#asking.answers.asked);
    this.#asking.answers = undefined;
    return checked.sealed === undefined ? this.#pass(checked) : this.#unseal(checked, checked.sealed);
  }

  async #unseal(ask: CheckedAsk, sealed: string): Promise<AskEnd> {
    const stop = new AbortController();
    this.#asking.stopWaiting = () => stop.abort();
    const state = await unsealState(this.#session, stateCallOf(this.#call), { sealed, signal: stop.signal });
    this.#asking.stopWaiting = undefined;
    if (this.#asking.cutBy !== undefined) return { cutBy: this.#asking.cutBy };
    return typeof state === 'string' ? this.#pass({ ...ask, state }) : state;
  }

  #pass(ask: CheckedAsk): AskEnd | Promise<AskEnd> {
    const gate = passGate(this.#session, this.#asking, ask);
    if ('refusal' in gate) return gate;
    return gate.legs.length === 0 ? this.#wait(ask.state) : this.#ask(gate.legs, ask.state);
  }

  /** A round without questions. */
  async #wait(state: string | undefined): Promise<AskEnd> {
    reportRoundStart(this.#session, this.#call, this.#asking, 0);
    await pause(this.#asking, this.#session.ports.clock);
    return this.#asking.cutBy === undefined ? this.#reenter(state, undefined) : this.#endRound();
  }

  async #ask(legs: readonly PreparedLeg[], state: string | undefined): Promise<AskEnd> {
    const { exchange } = this.#call;
    const noChannel = exchange === undefined ? undefined : await this.#findNoChannel(exchange);
    if (this.#asking.cutBy !== undefined) return { cutBy: this.#asking.cutBy };
    if (noChannel !== undefined) return { refusal: { reason: 'no-channel', detail: noChannel } };

    const busy = this.#takePlace();
    const refusal = busy instanceof Promise ? await busy : busy;
    if (this.#asking.cutBy !== undefined) return { cutBy: this.#asking.cutBy };
    if (refusal !== undefined) return { refusal };
    reportRoundStart(this.#session, this.#call, this.#asking, legs.length);
    const end = await this.#hold(legs);
    if (this.#asking.place !== undefined) this.#asking.place.onDrained = undefined;
    if (!('answers' in end)) return this.#endRound('refusal' in end ? end.refusal : this.#lossOf(end.cutOff));
    // Also after the answers are in: until the handler runs, the call can still be cut off. Over HTTP a turn has passed
    // since the last run, in finding the channel.
    if (exchange === undefined && this.#asking.cutBy === undefined) {
      await nextTurn(this.#asking, this.#session.turn);
    }
    return this.#asking.cutBy === undefined ? this.#reenter(state, end.answers) : this.#endRound();
  }

  /** Has the call hold a place from here on. Why there is none for it; undefined where it has one. */
  #takePlace(): Refusal | undefined | Promise<Refusal | undefined> {
    const { holds, options } = this.#session;
    const asking = this.#asking;
    if (holds === undefined) return undefined;
    asking.place ??= holds.pool.enter({
      connection: this.#session,
      subject: subjectKeyOf(this.#call.extra?.authInfo, options.subject),
    });
    const { place } = asking;
    if (place.state === 'queued') return this.#waitForPlace(place);
    if (place.state === 'refused' || place.isDrained) return this.#busy();
    return undefined;
  }

  async #waitForPlace(place: HoldPlace): Promise<Refusal | undefined> {
    const unwatch = this.#call.exchange?.onGone(() => place.leave());
    await place.settled();
    unwatch?.();
    return place.state === 'left' ? STREAM_LOST : this.#takePlace();
  }

  #busy(): Refusal {
    const retryAfter = this.#session.holds?.retryAfter() ?? 0;
    return { reason: 'busy', retryAfter, detail: `try again in ${Math.ceil(retryAfter / 1_000)} s` };
  }

  #lossOf(cutOff: StopReason): Refusal {
    return cutOff === 'drained' ? this.#busy() : STREAM_LOST;
  }

  #hold(legs: readonly PreparedLeg[]): RoundEnd | Promise<RoundEnd> {
    const { cutBy } = this.#asking;
    // The hook that heard of the round may have closed the connection.
    if (cutBy !== undefined) return { cutOff: cutBy };
    const round = new Round(this.#session, this.#call, this.#asking, legs);
    const { exchange } = this.#call;
    const { place } = this.#asking;
    if (place !== undefined) place.onDrained = () => this.#asking.stopWaiting?.('drained');
    if (exchange === undefined) return round.run();
    const unwatch = exchange.onGone(() => this.#asking.stopWaiting?.('no-channel'));
    return round.run().finally(unwatch);
  }

  /** Why no question can travel on the stream of the call; undefined when one can. */
  async #findNoChannel(exchange: HttpExchange): Promise<string | undefined> {
    const isStream = await hasStream(exchange, this.#session.ports.clock);
    if (exchange.isGone()) return STREAM_GONE;
    return isStream ? undefined : JSON_RESPONSE;
  }

  /** Ends a round whose answers do not reach the handler: with `refusal`, unless the call was cut off. */
  #endRound(refusal: Refusal = STREAM_LOST): AskEnd {
    const { cutBy } = this.#asking;
    const outcome = cutBy ?? refusal.reason;
    reportRoundEnd(this.#session, this.#call, this.#asking, { outcome, handlerRan: false });
    return cutBy === undefined ? { refusal } : { cutBy };
  }

  #reenter(state: string | undefined, answers: RoundAnswers | undefined): AskEnd {
    const session = this.#session;
    const asking = this.#asking;
    if (answers !== undefined) asking.pauses = 0;
    asking.hasReentered = true;
    asking.isHeld = false;
    asking.answers = answers;
    reportRoundEnd(session, this.#call, asking, { outcome: 'answered', handlerRan: true });
    if (this.#call.isOver) return REENTERED;
    deliverCall(session.wire, this.#call, {
      round: asking.round,
      responses: answers?.responses,
      failed: answers?.failed,
      invalid: answers?.invalid,
      state,
      canAsk: session.canAsk,
      mint: (payload) => mintState(session, this.#call, payload),
      confirmations: new RunConfirmations(asking, answers),
      once: new CallOnce(this.#call),
      elicitationIds: asking.elicitationIds,
      noteUnusable: (key) => noteUnusable(answers, key),
    });
    return REENTERED;
  }
}

/** Notes that the answer under `key` failed a schema that the handler read it with. */
function noteUnusable(answers: RoundAnswers | undefined, key: string): void {
  const asked = answers?.asked.find(([request]) => request.key === key);
  if (asked !== undefined) asked[1] ??= 'unusable';
}
