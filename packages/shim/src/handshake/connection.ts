/**
 * One handshake connection: every message of either side passes here, and most pass untouched.
 *
 * Towards SDK v1 this is the client, towards the client it is the server; what it adds are the questions.
 */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { cleanCapabilities, declaredKinds } from '../core/capabilities.ts';
import { DualEraError } from '../core/errors.ts';
import type { HoldOutcome } from '../core/events.ts';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
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
import type { RetryRecord } from '../core/retry-record.ts';
import type { Call, CutOff } from './call.ts';
import { Calls } from './calls.ts';
import { deliverCall } from './deliver.ts';
import { duplicateIdAnswer } from './duplicate-id.ts';
import { fulfil } from './fulfil.ts';
import type { HttpExchange } from './http-exchange.ts';
import { IdsInUse } from './ids-in-use.ts';
import { InputEnd } from './input-end.ts';
import { CallOnce } from './once-results.ts';
import { CallProgress } from './progress.ts';
import { reportHoldEnd, serverErrorAnswer } from './report.ts';
import type { Message, Session } from './session.ts';
import { mintState } from './state.ts';

export class Connection {
  readonly #session: Session;
  readonly #calls = new Calls();
  readonly #inputEnd = new InputEnd();
  #isClosed = false;

  readonly #exchange: () => HttpExchange | undefined;

  /** @param exchange - the HTTP exchange that the message at hand arrived in. */
  constructor(session: Session, exchange: () => HttpExchange | undefined) {
    this.#session = session;
    this.#exchange = exchange;
  }

  readonly ids: IdsInUse = new IdsInUse(this.#calls);

  /** Takes a message from the client. */
  receive(message: Message, extra: MessageExtraInfo | undefined): void {
    if (isRequest(message)) this.#receiveRequest(message, extra);
    else if (isAnswer(message)) this.#receiveAnswer(message, extra);
    else if (isNotification(message)) this.#receiveNotification(message, extra);
    else this.#session.wire.deliver(message, extra);
  }

  #receiveRequest(request: JsonRpcRequest, extra: MessageExtraInfo | undefined): void {
    const { wire } = this.#session;
    this.ids.deliver(request.id);
    if (this.#calls.has(request.id)) {
      void this.#reply(duplicateIdAnswer(request.id));
      return;
    }
    const token = (request.params?.['_meta'] as JsonObject | undefined)?.['progressToken'];
    const progress = isRequestId(token) ? new CallProgress(token) : undefined;
    const exchange = this.#exchange();
    const call: Call = { request, extra, exchange, progress, once: undefined, asking: undefined, isOver: false };
    this.#calls.add(call);
    if (isAskingMethod(request.method)) deliverCall(wire, call, this.#firstEntry(call));
    else if (request.method === 'initialize') wire.deliver(this.#readInitialize(request), extra);
    else wire.deliver(request, extra);
  }

  #firstEntry(call: Call): RetryRecord {
    const session = this.#session;
    return {
      round: 0,
      responses: undefined,
      failed: undefined,
      invalid: undefined,
      state: undefined,
      canAsk: session.canAsk,
      mint: (payload) => mintState(session, call, payload),
      confirmations: undefined,
      once: new CallOnce(call),
      elicitationIds: undefined,
      noteUnusable: undefined,
    };
  }

  #readInitialize(request: JsonRpcRequest): JsonRpcRequest {
    const { params } = request;
    if (params === undefined || !Object.hasOwn(params, 'capabilities')) return request;
    this.#session.kinds = declaredKinds(params['capabilities']);
    return { ...request, params: { ...params, capabilities: cleanCapabilities(params['capabilities']) } };
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
      this.#cancel(call);
    }
    wire.deliver(notification, extra);
  }

  /** Takes a message from SDK v1. */
  send(message: Message, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#sendAnswer(message, options);
    const { wire } = this.#session;
    const relatedTo = options?.relatedRequestId;
    if ('id' in message) {
      if (relatedTo !== undefined && !this.#calls.has(relatedTo)) {
        return Promise.reject(callEnded(message.method, relatedTo));
      }
      const { id } = message;
      this.#inputEnd.addRequest(id, relatedTo);
      this.#inputEnd.check(this.#calls.size);
      const sent = wire.send(message, options);
      // What did not go out is not waited for. Whoever sent it hears of it by the promise itself.
      sent.catch(() => this.#inputEnd.deleteRequest(id));
      return sent;
    }
    this.#inputEnd.noteCancellation(message);
    if (message.method !== 'notifications/progress') return wire.send(message, options);
    // Spec, basic/utilities/progress: it must stop with the answer.
    if (relatedTo !== undefined && !this.#calls.has(relatedTo)) return Promise.resolve();
    return wire.send(this.#calls.rise(message, relatedTo), options);
  }

  #sendAnswer(answer: JsonRpcAnswer, options: TransportSendOptions | undefined): Promise<void> {
    const { wire } = this.#session;
    const call = this.#calls.get(answer.id);
    const { result } = answer;
    if (call?.isOver) {
      this.#forget(call, 'call-cancelled');
      return Promise.resolve();
    }
    if (result !== undefined && isInputRequiredResult(result)) {
      // An ask of a call that was cancelled or cut off meanwhile has nowhere to go.
      if (call === undefined) return Promise.resolve();
      // Nobody is left to answer it.
      if (this.#inputEnd.hasBegun) this.#cutOff(call, 'closed');
      else if (isAskingMethod(call.request.method)) void fulfil(this.#session, call, result, this.#end);
      else this.#refuseAsk(call);
      return Promise.resolve();
    }
    const mistake = result && call && isAskingMethod(call.request.method) ? misplacedAsk(result) : undefined;
    if (call !== undefined && mistake !== undefined) {
      this.#end(call, 'server-error', serverErrorAnswer(this.#session, call, mistake));
      return Promise.resolve();
    }
    if (call !== undefined) {
      if (call.request.method === 'initialize') this.#readInitialized(result);
      this.#forget(call, answer.error === undefined ? 'answered' : 'server-error');
    }
    return wire.send(answer, options);
  }

  #readInitialized(result: JsonObject | undefined): void {
    const revision = isJsonObject(result) ? ownMember(result, 'protocolVersion') : undefined;
    this.#session.revision = typeof revision === 'string' ? revision : undefined;
  }

  #refuseAsk(call: Call): void {
    const mistake = 'only the handlers of tools/call, prompts/get and resources/read may return an ask';
    this.#end(call, 'server-error', serverErrorAnswer(this.#session, call, mistake));
  }

  readonly #end = (call: Call, outcome: HoldOutcome, answer: JsonRpcAnswer): void => {
    this.#forget(call, outcome);
    const sent = this.#reply(answer);
    call.asking?.place?.noteAnswer(sent);
  };

  #reply(answer: JsonRpcAnswer): Promise<void> {
    const { wire } = this.#session;
    return wire.send(answer).catch((error: unknown) => {
      wire.reportError(new Error('The answer to a call could not be sent', { cause: error }));
    });
  }

  #cancel(call: Call): void {
    const { id } = call.request;
    const isRunning = !call.asking?.isHeld;
    // SDK v1 does not hear the cancellation of these ids, so its answer is still to come, and to be dropped.
    if (!isRunning || (id !== 0 && id !== '')) {
      this.#cutOff(call, 'call-cancelled');
      return;
    }
    call.isOver = true;
    call.asking?.place?.leave();
    reportHoldEnd(this.#session, call, 'call-cancelled');
  }

  /** Ends a call from outside. What it is waiting for stops at once; its hold tells its own end, last. */
  #cutOff(call: Call, why: CutOff): void {
    const { asking } = call;
    if (!asking?.isHeld) {
      this.#forget(call, why);
      return;
    }
    call.isOver = true;
    this.#calls.delete(call);
    asking.place?.leave();
    asking.cutBy = why;
    asking.stopWaiting?.(why);
    this.#inputEnd.check(this.#calls.size);
  }

  /** Before the held calls of a connection end: their places are for others, not for the next of its own. */
  #leaveQueue(): void {
    for (const { asking } of this.#calls.list()) if (asking?.place?.state === 'queued') asking.place.leave();
  }

  #forget(call: Call, outcome: HoldOutcome): void {
    call.isOver = true;
    this.#calls.delete(call);
    call.asking?.place?.leave();
    reportHoldEnd(this.#session, call, outcome);
    this.#inputEnd.check(this.#calls.size);
  }

  /**
   * No more input can come, so no question can be answered: ends every hold without a word, and calls `onIdle` once no
   * handler is left that could still finish.
   */
  endOfInput(onIdle: () => void): void {
    this.#inputEnd.begin(onIdle);
    this.#leaveQueue();
    for (const call of this.#calls.list()) if (call.asking?.isHeld) this.#cutOff(call, 'closed');
    this.#inputEnd.check(this.#calls.size);
  }

  /** A transport that can be started again is as good as new. */
  open(): void {
    this.#isClosed = false;
  }

  /** Forgets everything: the connection is closed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#inputEnd.clear();
    this.#leaveQueue();
    for (const call of this.#calls.list()) this.#cutOff(call, 'closed');
    this.#session.revision = undefined;
  }
}

function callEnded(method: string, id: RequestId): DualEraError {
  return new DualEraError(
    'CALL_ENDED',
    `${method} was sent for the request ${JSON.stringify(id)}, which is already answered or cancelled. ` +
      'Ask before the handler returns, and await the answer.',
  );
}
