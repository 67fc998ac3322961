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
  errorAnswer,
  INVALID_REQUEST,
  isAnswer,
  isNotification,
  isRequest,
  isRequestId,
  type JsonRpcAnswer,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import { isAskingMethod } from '../core/outcome.ts';
import { isSameCaller } from '../core/principal.ts';
import type { RetryRecord } from '../core/retry-record.ts';
import type { Call, CutOff } from './call.ts';
import { deliverCall } from './deliver.ts';
import { fulfil } from './fulfil.ts';
import { currentExchange } from './http-exchange.ts';
import { CallProgress } from './progress.ts';
import { reportHoldEnd, serverErrorAnswer } from './report.ts';
import { canAsk, type Message, type Session } from './session.ts';

export class Connection {
  readonly #session: Session;
  /** Every request that SDK v1 has not answered, by id. */
  readonly #calls = new Map<RequestId, Call>();
  readonly #progress = new Map<RequestId, CallProgress>();
  readonly #firstEntry: RetryRecord;
  /** Requests of SDK v1 itself that the client has not answered. */
  readonly #ownRequests = new Set<RequestId>();
  /** Set when no more input can come: runs as soon as no handler can still finish. */
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  constructor(session: Session) {
    this.#session = session;
    this.#firstEntry = {
      round: 0,
      responses: undefined,
      failed: undefined,
      invalid: undefined,
      state: undefined,
      canAsk: (kind) => canAsk(session, kind),
      noteUnusable: () => undefined,
    };
  }

  isInFlight(id: unknown): boolean {
    return isRequestId(id) && this.#calls.has(id);
  }

  /** Takes a message from the client. */
  receive(message: Message, extra: MessageExtraInfo | undefined): void {
    if (isRequest(message)) this.#receiveRequest(message, extra);
    else if (isAnswer(message)) this.#receiveAnswer(message, extra);
    else if (isNotification(message)) this.#receiveNotification(message, extra);
    else this.#session.wire.deliver(message, extra);
  }

  #receiveRequest(request: JsonRpcRequest, extra: MessageExtraInfo | undefined): void {
    const { wire } = this.#session;
    if (this.#calls.has(request.id)) {
      const message = `The request id ${JSON.stringify(request.id)} is already in flight on this connection`;
      this.#reply(errorAnswer(request.id, { code: INVALID_REQUEST, message }));
      return;
    }
    const token = (request.params?.['_meta'] as JsonObject | undefined)?.['progressToken'];
    const progress = isRequestId(token) ? new CallProgress(token) : undefined;
    if (progress !== undefined) this.#progress.set(progress.token, progress);
    const exchange = currentExchange();
    const call: Call = { request, extra, exchange, progress, asking: undefined, isOver: false };
    this.#calls.set(request.id, call);
    if (isAskingMethod(request.method)) deliverCall(wire, call, this.#firstEntry);
    else if (request.method === 'initialize') wire.deliver(this.#readInitialize(request), extra);
    else wire.deliver(request, extra);
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
      this.#ownRequests.delete(answer.id);
      wire.deliver(answer, extra);
    }
  }

  #receiveNotification(notification: JsonRpcNotification, extra: MessageExtraInfo | undefined): void {
    const { wire, options, emitter } = this.#session;
    const id = notification.method === 'notifications/cancelled' ? notification.params?.['requestId'] : undefined;
    const call = isRequestId(id) ? this.#calls.get(id) : undefined;
    if (call !== undefined) {
      if (!isSameCaller(call.extra?.authInfo, extra?.authInfo, options.subject)) {
        emitter.emit({ type: 'foreign-answer' });
        return;
      }
      // The spec forbids cancelling initialize, and SDK v1 would answer it all the same.
      if (call.request.method !== 'initialize') this.#cutOff(call, 'call-cancelled');
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
      this.#ownRequests.add(message.id);
      this.#noteIdle();
      return wire.send(message, options);
    }
    if (message.method === 'notifications/cancelled')
      this.#ownRequests.delete(message.params?.['requestId'] as RequestId);
    if (message.method !== 'notifications/progress') return wire.send(message, options);
    // Spec, basic/utilities/progress: it must stop with the answer.
    if (relatedTo !== undefined && !this.#calls.has(relatedTo)) return Promise.resolve();
    return wire.send(this.#rise(message, relatedTo), options);
  }

  #rise(notification: JsonRpcNotification, relatedTo: RequestId | undefined): JsonRpcNotification {
    const token = notification.params?.['progressToken'];
    const own = relatedTo === undefined ? undefined : this.#calls.get(relatedTo)?.progress;
    const progress = own?.token === token ? own : isRequestId(token) ? this.#progress.get(token) : undefined;
    return progress === undefined ? notification : progress.rise(notification);
  }

  #sendAnswer(answer: JsonRpcAnswer, options: TransportSendOptions | undefined): Promise<void> {
    const { wire } = this.#session;
    const call = this.#calls.get(answer.id);
    const { result } = answer;
    if (result !== undefined && isInputRequiredResult(result)) {
      // An ask of a call that was cancelled or cut off meanwhile has nowhere to go.
      if (call === undefined) return Promise.resolve();
      if (isAskingMethod(call.request.method)) void fulfil(this.#session, call, result, this.#end);
      else this.#refuseAsk(call);
      return Promise.resolve();
    }
    if (call !== undefined) {
      if (call.request.method === 'initialize') this.#readInitialized(result);
      this.#forget(call, 'answered');
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
    this.#reply(answer);
  };

  #reply(answer: JsonRpcAnswer): void {
    const { wire } = this.#session;
    wire.send(answer).catch((error: unknown) => {
      wire.reportError(new Error('The answer to a call could not be sent', { cause: error }));
    });
  }

  #cutOff(call: Call, why: CutOff): void {
    call.isOver = true;
    call.asking?.cutOff?.(why);
    this.#forget(call, why);
  }

  #forget(call: Call, outcome: HoldOutcome): void {
    const { progress, request } = call;
    call.isOver = true;
    this.#calls.delete(request.id);
    if (progress !== undefined && this.#progress.get(progress.token) === progress)
      this.#progress.delete(progress.token);
    reportHoldEnd(this.#session, call, outcome);
    this.#noteIdle();
  }

  /**
   * No more input can come, so no question can be answered: ends every hold without a word, and calls `onIdle` once no
   * handler is left that could still finish.
   */
  endOfInput(onIdle: () => void): void {
    this.#onIdle = onIdle;
    for (const call of [...this.#calls.values()]) if (call.asking?.cutOff !== undefined) this.#cutOff(call, 'closed');
    this.#noteIdle();
  }

  #noteIdle(): void {
    if (this.#onIdle === undefined || (this.#calls.size > 0 && this.#ownRequests.size === 0)) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    // Not at once: the answer that made it idle is about to be sent.
    void Promise.resolve().then(onIdle);
  }

  /** Forgets everything: the connection is closed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onIdle = undefined;
    for (const call of [...this.#calls.values()]) this.#cutOff(call, 'closed');
    this.#ownRequests.clear();
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
