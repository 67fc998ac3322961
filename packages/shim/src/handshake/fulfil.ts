/** Fulfils an ask: checks it, asks the person, and runs the handler again with the answers. */
import { type CheckedAsk, checkAsk } from '../core/check-ask.ts';
import type { HoldOutcome } from '../core/events.ts';
import type { HoldPlace } from '../core/hold-place.ts';
import type { HoldLimit } from '../core/hold-pool.ts';
import type { JsonObject } from '../core/json.ts';
import { errorAnswer, INTERNAL_ERROR, type JsonRpcAnswer } from '../core/json-rpc.ts';
import { type AskingMethod, targetOf } from '../core/outcome.ts';
import { CALLER_DENIED, subjectUnlessDenied } from '../core/principal.ts';
import { RepeatedAsks } from '../core/repeated-ask.ts';
import type { Asking, Call, StopReason } from './call.ts';
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
/** What a call that finds no place is told of the limit it met. */
const LIMITS: Readonly<Record<HoldLimit, string>> = {
  max: 'every place is taken',
  maxPerConnection: 'this connection has as many as it may',
  maxPerSubject: 'this caller has as many as it may',
  draining: 'the server is shutting down',
};
const STREAM_LOST: Refusal = { reason: 'no-channel', detail: STREAM_GONE };

/** Takes over a call whose handler returned `ask`, until its next run or its end. Never rejects. */
export async function fulfil(session: Session, call: Call, ask: JsonObject, end: EndCall): Promise<void> {
  call.asking ??= startAsking(session, call);
  const { asking } = call;
  asking.round += 1;
  asking.isHeld = true;
  try {
    const became = await new Fulfilment(session, call, asking).run(ask);
    // Whoever heard of the end of the round may have cut it off.
    if (asking.cutBy !== undefined) reportHoldEnd(session, call, asking.cutBy);
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
    hasHeld: false,
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
  /** For the reason that is noted with the call. */
  | { readonly isCut: true };

const REENTERED: AskEnd = { reentered: true };
const CUT: AskEnd = { isCut: true };

/** One ask on its way to the next run of the handler. */
class Fulfilment {
  readonly #session: Session;
  readonly #call: Call;
  readonly #asking: Asking;
  #subject: string | undefined;
  #isStreamLost = false;

  constructor(session: Session, call: Call, asking: Asking) {
    this.#session = session;
    this.#call = call;
    this.#asking = asking;
  }

  run(ask: JsonObject): AskEnd | Promise<AskEnd> {
    const { options } = this.#session;
    const caller = subjectUnlessDenied(this.#call.extra?.authInfo, options.subject);
    if (caller === undefined) return { mistake: CALLER_DENIED };
    this.#subject = caller.subject;
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
    if (this.#asking.cutBy !== undefined) return CUT;
    return typeof state === 'string' ? this.#pass({ ...ask, state }) : state;
  }

  #pass(ask: CheckedAsk): AskEnd | Promise<AskEnd> {
    const gate = passGate(this.#session, this.#asking, ask);
    if ('refusal' in gate) return gate;
    if (gate.legs.length === 0) return this.#wait(ask.state);
    const { exchange } = this.#call;
    return exchange === undefined ? this.#ask(gate.legs, ask.state) : this.#askOver(exchange, gate.legs, ask.state);
  }

  /** A round without questions. */
  async #wait(state: string | undefined): Promise<AskEnd> {
    if (this.#asking.place?.isDrained === true) return { refusal: this.#busy() };
    reportRoundStart(this.#session, this.#call, this.#asking, 0);
    await pause(this.#asking, this.#session.ports.clock);
    return this.#asking.cutBy === undefined ? this.#reenter(state, undefined) : this.#endRound();
  }

  /** Asks on the stream of an HTTP exchange, as long as there is one. */
  async #askOver(exchange: HttpExchange, legs: readonly PreparedLeg[], state: string | undefined): Promise<AskEnd> {
    const noChannel = await this.#findNoChannel(exchange);
    if (this.#asking.cutBy !== undefined) return CUT;
    if (noChannel !== undefined) return { refusal: { reason: 'no-channel', detail: noChannel } };
    const unwatch = exchange.onGone(() => this.#loseStream());
    try {
      return await this.#ask(legs, state);
    } finally {
      unwatch();
    }
  }

  async #ask(legs: readonly PreparedLeg[], state: string | undefined): Promise<AskEnd> {
    const asking = this.#asking;
    const place = this.#takePlace();
    if (place?.state === 'queued') await place.settled();
    if (asking.cutBy !== undefined) return CUT;
    if (this.#isStreamLost) return { refusal: STREAM_LOST };
    if (place !== undefined && (place.state !== 'held' || place.isDrained)) return { refusal: this.#busy() };
    reportRoundStart(this.#session, this.#call, asking, legs.length);
    const end = await this.#hold(legs);
    if (place !== undefined) place.onDrained = undefined;
    if (!('answers' in end)) return this.#endRound('refusal' in end ? end.refusal : this.#lossOf(end.cutOff));
    // Also after the answers are in: until the handler runs, the call can still be cut off. Over HTTP a turn has passed
    // since the last run, in finding the channel.
    if (this.#call.exchange === undefined && asking.cutBy === undefined) {
      await nextTurn(asking, this.#session.turn);
    }
    return asking.cutBy === undefined ? this.#reenter(state, end.answers) : this.#endRound();
  }

  #loseStream(): void {
    this.#isStreamLost = true;
    if (this.#asking.place?.state === 'queued') this.#asking.place.leave();
    this.#asking.stopWaiting?.('no-channel');
  }

  /** The call's place among those that are held, from here on; undefined where those are not counted. */
  #takePlace(): HoldPlace | undefined {
    const { holds } = this.#session;
    this.#asking.place ??= holds?.pool.enter({ connection: this.#session, subject: this.#subject });
    return this.#asking.place;
  }

  #busy(): Refusal {
    const { holds } = this.#session;
    const { place } = this.#asking;
    const limit = place && holds?.pool.limitFor(place.holder);
    const retryAfter = holds?.retryAfter(limit) ?? 0;
    return {
      reason: 'busy',
      retryAfter,
      detail: `${LIMITS[limit ?? 'max']}: try again in ${Math.ceil(retryAfter / 1_000)} s`,
    };
  }

  #lossOf(cutOff: StopReason): Refusal {
    return cutOff === 'drained' ? this.#busy() : STREAM_LOST;
  }

  #hold(legs: readonly PreparedLeg[]): RoundEnd | Promise<RoundEnd> {
    const { cutBy, place } = this.#asking;
    // The hook that heard of the round may have closed the connection.
    if (cutBy !== undefined) return { cutOff: cutBy };
    if (place !== undefined) place.onDrained = () => this.#stopForDrain();
    return new Round(this.#session, this.#call, this.#asking, legs).run();
  }

  /** False where the round is over already, and its handler about to run. */
  #stopForDrain(): boolean {
    const { stopWaiting, place } = this.#asking;
    if (place !== undefined) place.onDrained = undefined;
    stopWaiting?.('drained');
    return stopWaiting !== undefined;
  }

  /** Why no question can travel on the stream of the call; undefined when one can. */
  async #findNoChannel(exchange: HttpExchange): Promise<string | undefined> {
    const isStream = await hasStream(exchange, this.#session.ports.clock);
    if (exchange.isGone()) return STREAM_GONE;
    return isStream ? undefined : JSON_RESPONSE;
  }

  /** Ends a round whose answers do not reach the handler: with `refusal`, unless the call was cut off. */
  #endRound(refusal: Refusal = STREAM_LOST): AskEnd {
    const outcome = this.#asking.cutBy ?? refusal.reason;
    reportRoundEnd(this.#session, this.#call, this.#asking, { outcome, handlerRan: false });
    return this.#asking.cutBy === undefined ? { refusal } : CUT;
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
