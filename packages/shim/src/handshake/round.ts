/** One round on the wire: its legs go out, its answers come in, and nothing of it is left afterwards. */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import pTimeout from 'p-timeout';
import type { LegOutcome } from '../core/events.ts';
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcAnswer } from '../core/json-rpc.ts';
import { isSameCaller } from '../core/principal.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import { traceContextIn } from '../core/telemetry.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import type { Asking, Call, StopReason } from './call.ts';
import type { PreparedLeg, Refusal } from './gate.ts';
import { readLegAnswer } from './leg-answer.ts';
import { startHeartbeat } from './progress.ts';
import { RoundAnswers } from './round-answers.ts';
import type { OpenLeg, Session } from './session.ts';
import { timersOf } from './wait.ts';

/** How the round ended: with answers for the handler, refused, or cut off. */
export type RoundEnd =
  | { readonly answers: RoundAnswers }
  | { readonly refusal: Refusal }
  | { readonly cutOff: StopReason };

class SentLeg implements OpenLeg {
  readonly id: string;
  readonly prepared: PreparedLeg;
  readonly sentAt: number;
  readonly #round: Round;

  constructor(round: Round, id: string, { prepared, sentAt }: { prepared: PreparedLeg; sentAt: number }) {
    this.#round = round;
    this.id = id;
    this.prepared = prepared;
    this.sentAt = sentAt;
  }

  take(answer: JsonRpcAnswer, extra: MessageExtraInfo | undefined): boolean {
    return this.#round.take(this, answer, extra);
  }
}

/** Asks `legs` and waits for the answers of all of them. */
export class Round {
  readonly #session: Session;
  readonly #call: Call;
  readonly #asking: Asking;
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

  constructor(session: Session, call: Call, asking: Asking, legs: readonly PreparedLeg[]) {
    this.#session = session;
    this.#call = call;
    this.#asking = asking;
    this.#legs = legs;
    this.#unanswered = legs.length;
    this.#onStream = { relatedRequestId: call.request.id };
  }

  run(): Promise<RoundEnd> {
    const { options, ports } = this.#session;
    const ended = new Promise<RoundEnd>((resolve) => {
      this.#settle = resolve;
    });
    this.#asking.stopWaiting = (why) => this.#finish({ cutOff: why });
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
    const [first] = this.#open;
    const key = first === undefined ? {} : { key: first.prepared.request.key };
    const detail = `roundTimeout is ${this.#session.options.roundTimeout} ms`;
    return this.#finish({ refusal: { reason: 'timeout', ...key, detail } });
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
    const prepared = this.#legs[this.#sent];
    this.#sent += 1;
    if (prepared === undefined) return;
    const id = `${this.#asking.callId}.${this.#asking.round}.${this.#sent}`;
    const leg = new SentLeg(this, id, { prepared, sentAt: this.#now() });
    this.#open.push(leg);
    this.#session.openLegs.set(id, leg);
    this.#emitLeg(leg);
    // The hook may have closed the connection.
    if (this.#end !== undefined) return;
    const { method, key } = prepared.request;
    this.#session.wire
      .send({ jsonrpc: '2.0', id, method, params: this.#traced(prepared) }, this.#onStream)
      .catch(() => this.#finish({ refusal: { reason: 'no-channel', key, detail: 'the question could not be sent' } }));
  }

  /** The params of `leg`, with the trace context it is to carry. */
  #traced({ params, request }: PreparedLeg): JsonObject {
    const { telemetry } = this.#session.options;
    if (telemetry === undefined) return params;
    const { callId, round } = this.#asking;
    try {
      const given = telemetry.contextOf({ callId, round, key: request.key });
      const context = isUnwantedPromise(given) ? {} : traceContextIn(given);
      const meta = params['_meta'] as JsonObject | undefined;
      return Object.keys(context).length === 0 ? params : { ...params, _meta: { ...context, ...meta } };
    } catch {
      // Who measures must never change a call.
      return params;
    }
  }

  /** Settles `leg`; false when the answer is another caller's. */
  take(leg: SentLeg, message: JsonRpcAnswer, extra: MessageExtraInfo | undefined): boolean {
    const { options, openLegs } = this.#session;
    if (!isSameCaller(this.#call.extra?.authInfo, extra?.authInfo, options.subject)) return false;
    const { request } = leg.prepared;
    const read = readLegAnswer(request, message);
    this.#open = this.#open.filter((open) => open !== leg);
    this.#unanswered -= 1;
    openLegs.delete(leg.id);
    this.#emitLeg(leg, read.outcome);
    this.#answers ??= new RoundAnswers();
    this.#answers.add(request, read);
    const { failed } = read;
    if (failed?.reason === 'client-error' && options.onFailedLeg === 'end') this.#endOnError(request.key, failed);
    else if (this.#unanswered === 0) this.#finish({ answers: this.#answers });
    else if (options.legs === 'sequential') this.#send(1);
    return true;
  }

  #endOnError(key: string, { code }: FailedAnswer): void {
    const known = code === undefined ? {} : { code };
    const detail = `the question is "${key}"${code === undefined ? '' : `, the code ${code}`}`;
    this.#finish({ refusal: { reason: 'client-error', key, ...known, detail } });
  }

  /**
   * Ends the round with `end`, unless it has ended before: closes the dialogs that are still open at the client, and
   * stops what keeps it alive. Returns how it ended.
   */
  #finish(end: RoundEnd): RoundEnd {
    if (this.#end !== undefined) return this.#end;
    this.#end = end;
    this.#asking.stopWaiting = undefined;
    this.#stopBeating?.();
    const reason = 'cutOff' in end ? end.cutOff : 'refusal' in end ? end.refusal.reason : 'answered';
    for (const leg of this.#open) {
      this.#session.openLegs.delete(leg.id);
      this.#emitLeg(leg, OPEN_LEG_OUTCOMES[reason] ?? 'round-ended');
      if (reason !== 'closed') this.#closeDialog(leg, reason);
    }
    this.#settle?.(end);
    return end;
  }

  #closeDialog(leg: SentLeg, reason: string): void {
    const params = { requestId: leg.id, reason: CANCEL_REASONS[reason] ?? 'The question is no longer needed' };
    // A dialog that cannot be closed cannot be answered either: nothing is lost with the error.
    this.#session.wire
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, this.#onStream)
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

  #emitLeg(leg: SentLeg, outcome?: LegOutcome): void {
    const { emitter } = this.#session;
    if (!emitter.isHeard) return;
    const { callId, target, round } = this.#asking;
    const { key, kind } = leg.prepared.request;
    const common = { callId, method: this.#call.request.method, target, round, key, kind };
    if (outcome === undefined) emitter.emit({ type: 'leg-start', ...common });
    else emitter.emit({ type: 'leg-end', ...common, outcome, ms: this.#now() - leg.sentAt });
  }

  /** The time, where somebody wants to know it. */
  #now(): number {
    const { emitter, ports } = this.#session;
    return emitter.isHeard ? ports.clock.now() : 0;
  }
}

const CANCEL_REASONS: Partial<Record<string, string>> = {
  timeout: 'The question was not answered in time',
  'call-cancelled': 'The call was cancelled',
  drained: 'The server is shutting down',
};

/** What has become of a leg that is still open when its round ends. */
const OPEN_LEG_OUTCOMES: Partial<Record<string, LegOutcome>> = {
  timeout: 'timeout',
  'no-channel': 'no-channel',
  'call-cancelled': 'call-cancelled',
  closed: 'closed',
};
