/**
 * One handshake connection: every message of either side passes here, and most pass untouched.
 *
 * Towards SDK v1 this is the client, towards the client it is the server; what it adds are the questions.
 */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { withCleanCapabilities } from '../core/capabilities.ts';
import { isInputRequiredResult } from '../core/input-required.ts';
import type { JsonObject } from '../core/json.ts';
import {
  isAnswer,
  isNotification,
  isRequest,
  isRequestId,
  type JsonRpcAnswer,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import { misplacedAsk } from '../core/misplaced-ask.ts';
import { isAskingMethod } from '../core/outcome.ts';
import { isSameCaller } from '../core/principal.ts';
import type { Call } from './call.ts';
import { callEnded } from './call-ended.ts';
import { CallEnds } from './call-ends.ts';
import { Calls } from './calls.ts';
import { deliverFirst } from './deliver.ts';
import { duplicateIdAnswer } from './duplicate-id.ts';
import { Fulfilment } from './fulfil.ts';
import { IdsInUse } from './ids-in-use.ts';
import { InputEnd } from './input-end.ts';
import { noteHandshake } from './negotiation.ts';
import { CallOnce } from './once-results.ts';
import { CallProgress } from './progress.ts';
import type { Message, Session } from './session.ts';
import type { HttpExchange } from './stream-state.ts';

export class Connection {
  readonly #session: Session;
  readonly #exchange: () => HttpExchange | undefined;
  readonly #calls = new Calls();
  readonly #inputEnd = new InputEnd(this.#calls);
  readonly #ends: CallEnds;
  readonly #fulfilment: Fulfilment;
  readonly ids: IdsInUse = new IdsInUse(this.#calls);

  /** @param exchange - the HTTP exchange that the message at hand arrived in. */
  constructor(session: Session, exchange: () => HttpExchange | undefined) {
    this.#session = session;
    this.#exchange = exchange;
    this.#ends = new CallEnds(session, this.#calls, this.#inputEnd);
    this.#fulfilment = new Fulfilment(session, this.#ends);
  }

  /** Takes a message from the client. */
  receive(message: Message, extra: MessageExtraInfo | undefined): void {
    if (isRequest(message)) this.#receiveRequest(message, extra);
    else if (isAnswer(message)) this.#receiveAnswer(message, extra);
    else if (isNotification(message)) this.#receiveNotification(message, extra);
    else this.#session.wire.deliver(message, extra);
  }

  #receiveRequest(request: JsonRpcRequest, extra: MessageExtraInfo | undefined): void {
    const session = this.#session;
    this.ids.deliver(request.id);
    if (this.#calls.has(request.id)) {
      void this.#ends.reply(duplicateIdAnswer(request.id));
      return;
    }
    const token = (request.params?.['_meta'] as JsonObject | undefined)?.['progressToken'];
    const progress = isRequestId(token) ? new CallProgress(token) : undefined;
    const exchange = this.#exchange();
    const once = new CallOnce();
    const call: Call = { request, extra, exchange, progress, once, asking: undefined, isOver: false };
    this.#calls.add(call);
    if (isAskingMethod(request.method)) deliverFirst(session, call);
    else if (request.method === 'initialize') session.wire.deliver(withCleanCapabilities(request), extra);
    else session.wire.deliver(request, extra);
  }

  #receiveAnswer(answer: JsonRpcAnswer, extra: MessageExtraInfo | undefined): void {
    const { openLegs, wire, emitter, idPrefix } = this.#session;
    const leg = openLegs.get(answer.id);
    if (leg !== undefined) {
      if (!leg.take(answer, extra)) emitter.emit({ type: 'foreign-answer' });
    } else if (typeof answer.id === 'string' && answer.id.startsWith(idPrefix)) {
      emitter.emit({ type: 'late-answer' });
    } else {
      this.#inputEnd.deleteRequest(answer.id);
      wire.deliver(answer, extra);
    }
  }

  #receiveNotification(notification: JsonRpcNotification, extra: MessageExtraInfo | undefined): void {
    const { wire, options, emitter } = this.#session;
    const isCancellation = notification.method === 'notifications/cancelled';
    const call = isCancellation ? this.#calls.get(notification.params?.['requestId']) : undefined;
    // Spec, basic/utilities/cancellation: initialize must not be cancelled.
    if (call?.request.method === 'initialize') return;
    if (call !== undefined) {
      if (!isSameCaller(call.extra?.authInfo, extra?.authInfo, options.subject)) {
        emitter.emit({ type: 'foreign-answer' });
        return;
      }
      this.#ends.cancel(call);
    }
    wire.deliver(notification, extra);
  }

  /** Takes a message from SDK v1. */
  send(message: Message, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#sendAnswer(message, options);
    return 'id' in message ? this.#sendRequest(message, options) : this.#sendNotification(message, options);
  }

  #sendRequest(request: JsonRpcRequest, options: TransportSendOptions | undefined): Promise<void> {
    const { id, method } = request;
    const relatedTo = options?.relatedRequestId;
    if (this.#calls.isOver(relatedTo)) return Promise.reject(callEnded(method, relatedTo as RequestId));
    this.#inputEnd.addRequest(id, relatedTo);
    this.#inputEnd.check();
    const sent = this.#session.wire.send(request, options);
    // What did not go out is not waited for. Whoever sent it hears of it by the promise itself.
    sent.catch(() => this.#inputEnd.deleteRequest(id));
    return sent;
  }

  #sendNotification(notification: JsonRpcNotification, options: TransportSendOptions | undefined): Promise<void> {
    const { wire } = this.#session;
    this.#inputEnd.noteCancellation(notification);
    if (notification.method !== 'notifications/progress') return wire.send(notification, options);
    const relatedTo = options?.relatedRequestId;
    // Spec, basic/utilities/progress: it must stop with the answer.
    if (this.#calls.isOver(relatedTo)) return Promise.resolve();
    return wire.send(this.#calls.rise(notification, relatedTo), options);
  }

  #sendAnswer(answer: JsonRpcAnswer, options: TransportSendOptions | undefined): Promise<void> {
    const call = this.#calls.get(answer.id);
    const { result } = answer;
    const isAsk = result !== undefined && isInputRequiredResult(result);
    if (call === undefined) {
      // An ask of a call that was cancelled or cut off meanwhile has nowhere to go.
      return isAsk ? Promise.resolve() : this.#session.wire.send(answer, options);
    }
    if (call.isOver) {
      this.#ends.close(call, 'call-cancelled');
      return Promise.resolve();
    }
    const { method } = call.request;
    if (isAsk) {
      // Nobody is left to answer it.
      if (this.#inputEnd.hasBegun) this.#ends.cutOff(call, 'closed');
      else if (isAskingMethod(method)) void this.#fulfilment.take(call, result);
      else this.#ends.fail(call, NOT_ASKING);
      return Promise.resolve();
    }
    const mistake = result && isAskingMethod(method) ? misplacedAsk(result) : undefined;
    if (mistake !== undefined) {
      this.#ends.fail(call, mistake);
      return Promise.resolve();
    }
    if (method === 'initialize' && result !== undefined) noteHandshake(this.#session, call.request, result);
    this.#ends.close(call, answer.error === undefined ? 'answered' : 'server-error');
    return this.#session.wire.send(answer, options);
  }

  /**
   * No more input can come, so no question can be answered: ends every hold without a word, and calls `onIdle` once no
   * handler is left that could still finish.
   */
  endOfInput(onIdle: () => void): void {
    this.#inputEnd.begin(onIdle);
    this.#ends.cutOffHolds();
    this.#inputEnd.check();
  }

  /** Forgets everything: the connection is closed. */
  close(): void {
    this.#inputEnd.clear();
    this.#ends.cutOffAll();
    this.#session.revision = undefined;
  }
}

const NOT_ASKING = 'only the handlers of tools/call, prompts/get and resources/read may return an ask';
