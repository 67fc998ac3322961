/** One round on the wire: its legs go out, its answers come in, and nothing of it is left afterwards. */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import pTimeout from 'p-timeout';
import type { CheckedRequest } from '../core/check-ask.ts';
import type { LegOutcome } from '../core/events.ts';
import type { JsonRpcAnswer } from '../core/json-rpc.ts';
import { isSameCaller } from '../core/principal.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import type { StopReason } from './asking.ts';
import type { AskingCall } from './call.ts';
import type { PreparedLeg, Refusal } from './gate.ts';
import { readLegAnswer } from './leg-answer.ts';
import { endOfOpenLegs } from './open-leg-end.ts';
import { startHeartbeat } from './progress.ts';
import { reportLegEnd, reportLegStart, timeOf } from './report.ts';
import { RoundAnswers } from './round-answers.ts';
import type { OpenLeg, Session } from './session.ts';
import { tracedParams } from './trace.ts';
import { timersOf } from './wait.ts';

/** How the round ended: with answers for the handler, refused, or cut off. */
export type RoundEnd =
  | { readonly answers: RoundAnswers }
  | { readonly refusal: Refusal }
  | { readonly cutOff: StopReason };

class SentLeg implements OpenLeg {
  readonly id: string;
  readonly request: CheckedRequest;
  readonly sentAt: number;
  readonly #round: Round;

  constructor(round: Round, id: string, { request, sentAt }: { request: CheckedRequest; sentAt: number }) {
    this.#round = round;
    this.id = id;
    this.request = request;
    this.sentAt = sentAt;
  }

  take(answer: JsonRpcAnswer, extra: MessageExtraInfo | undefined): boolean {
    return this.#round.take(this, answer, extra);
  }
}

/** Asks `legs` and waits for the answers of all of them. */
export class Round {
  readonly #session: Session;
  readonly #call: AskingCall;
  readonly #legs: readonly PreparedLeg[];
  #open: SentLeg[] = [];
  #answers: RoundAnswers | undefined;
  readonly #onStream: TransportSendOptions;
  #settle: ((end: RoundEnd) => void) | undefined;
  #stopBeating: (() => void) | undefined;
  #end: RoundEnd | undefined;
  #isSending = false;
  #wanted = 0;
  #sent = 0;
  /** Counted rather than read off the open legs: a peer may answer the first leg before the second is sent. */
  #unanswered: number;

  constructor(session: Session, call: AskingCall, legs: readonly PreparedLeg[]) {
    this.#session = session;
    this.#call = call;
    this.#legs = legs;
    this.#unanswered = legs.length;
    this.#onStream = { relatedRequestId: call.request.id };
  }

  run(): Promise<RoundEnd> {
    const { options, ports } = this.#session;
    const ended = new Promise<RoundEnd>((resolve) => {
      this.#settle = resolve;
    });
    this.#call.asking.stopWaiting = (why) => this.#finish({ cutOff: why });
    this.#startHeartbeat();
    this.#send(options.legs === 'sequential' ? 1 : this.#legs.length);
    // With a fallback no error is made for the time-out: p-timeout would build one, with its stack, for every round.
    return pTimeout(ended, {
      milliseconds: options.roundTimeout,
      fallback: () => this.#timeOut(),
      customTimers: timersOf(ports.clock),
    });
  }

  #timeOut(): RoundEnd {
    // By an answer that came in the same turn of the event loop.
    if (this.#end !== undefined) return this.#end;
    // Until it ends, a leg is open.
    const [{ request }] = this.#open as [SentLeg];
    const detail = `roundTimeout is ${this.#session.options.roundTimeout} ms`;
    return this.#finish({ refusal: { reason: 'timeout', key: request.key, detail } });
  }

  /** Sends the next `count` legs. */
  #send(count: number): void {
    this.#wanted += count;
    // A peer may answer from within the send of its leg: the loop that sends that one goes on with the next.
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#sent < this.#wanted && this.#end === undefined) this.#sendNext();
    this.#isSending = false;
  }

  #sendNext(): void {
    const session = this.#session;
    const { callId, round } = this.#call.asking;
    // No more are wanted than there are.
    const prepared = this.#legs[this.#sent] as PreparedLeg;
    this.#sent += 1;
    const { request } = prepared;
    const id = `${callId}.${round}.${this.#sent}`;
    const leg = new SentLeg(this, id, { request, sentAt: timeOf(session) });
    this.#open.push(leg);
    session.openLegs.set(id, leg);
    reportLegStart(session, this.#call, request);
    // The hook may have closed the connection.
    if (this.#end !== undefined) return;
    const { method, key } = request;
    const params = tracedParams(session.options.telemetry, this.#call, prepared);
    session.wire
      .send({ jsonrpc: '2.0', id, method, params }, this.#onStream)
      .catch(() => this.#finish({ refusal: { reason: 'no-channel', key, detail: 'the question could not be sent' } }));
  }

  /** Settles `leg`; false when the answer is another caller's. */
  take(leg: SentLeg, message: JsonRpcAnswer, extra: MessageExtraInfo | undefined): boolean {
    const { options, openLegs } = this.#session;
    if (!isSameCaller(this.#call.extra?.authInfo, extra?.authInfo, options.subject)) return false;
    const { request } = leg;
    const read = readLegAnswer(request, message);
    this.#open = this.#open.filter((open) => open !== leg);
    this.#unanswered -= 1;
    openLegs.delete(leg.id);
    this.#reportEnd(leg, read.outcome);
    this.#answers ??= new RoundAnswers();
    this.#answers.add(request, read);
    const { failed } = read;
    if (failed?.reason === 'client-error' && options.onFailedLeg === 'end') this.#endOnError(request.key, failed);
    else if (this.#unanswered === 0) this.#finish({ answers: this.#answers });
    else if (options.legs === 'sequential') this.#send(1);
    return true;
  }

  #endOnError(key: string, failed: FailedAnswer): void {
    const detail = `the question is "${key}"${failed.code === undefined ? '' : `, the code ${failed.code}`}`;
    this.#finish({ refusal: { ...failed, key, detail } });
  }

  #reportEnd({ request, sentAt }: SentLeg, outcome: LegOutcome): void {
    reportLegEnd(this.#session, this.#call, { request, sentAt, outcome });
  }

  /**
   * Ends the round with `end`, unless it has ended before: closes the dialogs that are still open at the client, and
   * stops what keeps it alive. Returns how it ended.
   */
  #finish(end: RoundEnd): RoundEnd {
    if (this.#end !== undefined) return this.#end;
    this.#end = end;
    this.#call.asking.stopWaiting = undefined;
    this.#stopBeating?.();
    const reason = 'cutOff' in end ? end.cutOff : 'refusal' in end ? end.refusal.reason : 'answered';
    const { outcome, notice } = endOfOpenLegs(reason);
    // All of them first: an answer that comes from within what is sent below is late.
    for (const { id } of this.#open) this.#session.openLegs.delete(id);
    for (const leg of this.#open) {
      this.#reportEnd(leg, outcome);
      if (notice !== undefined) this.#closeDialog(leg.id, notice);
    }
    this.#settle?.(end);
    return end;
  }

  #closeDialog(requestId: string, reason: string): void {
    // A dialog that cannot be closed cannot be answered either: nothing is lost with the error.
    this.#session.wire
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } }, this.#onStream)
      .catch(() => undefined);
  }

  #startHeartbeat(): void {
    const { options, ports, wire } = this.#session;
    const { progress } = this.#call;
    if (progress === undefined || options.heartbeat === false) return;
    // A caller that cannot be told that its call goes on finds out by its answer.
    const beat = (): void => void wire.send(progress.beat(), this.#onStream).catch(() => undefined);
    this.#stopBeating = startHeartbeat(beat, options.heartbeat, ports.clock);
    // Last, since a peer may end the round from within the send of its first beat.
    beat();
  }
}
