/** A round with questions, from its place among the held calls and its channel to the next run of the handler. */
import { type AskFailure, endRound, reenter } from './ask-end.ts';
import { busyRefusal } from './busy.ts';
import type { AskingCall } from './call.ts';
import { findNoChannel, STREAM_LOST } from './channel.ts';
import type { PreparedLeg, Refusal } from './gate.ts';
import { reportRoundStart } from './report.ts';
import { Round, type RoundEnd } from './round.ts';
import type { Session } from './session.ts';
import type { HttpExchange } from './stream-state.ts';
import { nextTurn } from './wait.ts';

export class QuestionRound {
  readonly #session: Session;
  readonly #call: AskingCall;
  readonly #legs: readonly PreparedLeg[];

  constructor(session: Session, call: AskingCall, legs: readonly PreparedLeg[]) {
    this.#session = session;
    this.#call = call;
    this.#legs = legs;
  }

  run(): Promise<AskFailure> {
    const { exchange } = this.#call;
    return exchange === undefined ? this.#ask() : this.#askOver(exchange);
  }

  /** Asks on the stream of an HTTP exchange, as long as there is one. */
  async #askOver(exchange: HttpExchange): Promise<AskFailure> {
    const refusal = await findNoChannel(exchange, this.#session.ports.clock);
    if (this.#call.asking.cutBy !== undefined) return undefined;
    if (refusal !== undefined) return { refusal };
    const unwatch = exchange.onGone(() => this.#loseStream());
    try {
      return await this.#ask();
    } finally {
      unwatch();
    }
  }

  #loseStream(): void {
    const { place, stopWaiting } = this.#call.asking;
    if (place?.state === 'queued') place.leave();
    stopWaiting?.('no-channel');
  }

  async #ask(): Promise<AskFailure> {
    const { exchange, asking } = this.#call;
    const { holds, turn } = this.#session;
    // Its place among those that are held, from here on; none where those are not counted.
    asking.place ??= holds?.pool.enter({ connection: this.#session, subject: asking.subject });
    const { place } = asking;
    if (place?.state === 'queued') await place.settled();
    if (asking.cutBy !== undefined) return undefined;
    if (exchange?.isGone()) return { refusal: STREAM_LOST };
    if (place !== undefined && (place.state !== 'held' || place.isDrained)) return { refusal: this.#busy() };
    reportRoundStart(this.#session, this.#call, this.#legs.length);
    const end = await this.#hold();
    if (place !== undefined) place.onDrained = undefined;
    if ('refusal' in end) return endRound(this.#session, this.#call, end.refusal);
    if ('cutOff' in end) {
      return endRound(this.#session, this.#call, end.cutOff === 'drained' ? this.#busy() : STREAM_LOST);
    }
    asking.answers = end.answers;
    asking.pauses = 0;
    // Also after the answers are in: until the handler runs, the call can still be cut off. Over HTTP a turn has passed
    // since the last run, in finding the channel.
    if (exchange === undefined && asking.cutBy === undefined) await nextTurn(asking, turn);
    return reenter(this.#session, this.#call);
  }

  #busy(): Refusal {
    return busyRefusal(this.#session, this.#call.asking);
  }

  #hold(): RoundEnd | Promise<RoundEnd> {
    const { cutBy, place } = this.#call.asking;
    // The hook that heard of the round may have closed the connection.
    if (cutBy !== undefined) return { cutOff: cutBy };
    if (place !== undefined) place.onDrained = () => this.#stopForDrain();
    return new Round(this.#session, this.#call, this.#legs).run();
  }

  /** False where the round is over already, and its handler about to run. */
  #stopForDrain(): boolean {
    const { stopWaiting } = this.#call.asking;
    stopWaiting?.('drained');
    return stopWaiting !== undefined;
  }
}
