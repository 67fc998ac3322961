/** A connection to a modern server, as a client of the handshake era sees it. */
import type { Client } from '@modelcontextprotocol/client';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import {
  INTERNAL_ERROR,
  type JsonRpcAnswer,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import { isAskingMethod } from '../core/outcome.ts';
import { Changes } from './changes.ts';
import type { ResolvedConnectOptions } from './client-options.ts';
import { createEngine, declaredBy, introductionOf } from './engine.ts';
import { meetAsks } from './meet-asks.ts';
import { type CallOptions, ModernCalls } from './modern-calls.ts';
import { type Deliver, Questions } from './questions.ts';
import { jsonRpcErrorOf, RpcError } from './rpc-error.ts';
import type { WireTransport } from './target.ts';

export interface ConnectionOptions {
  readonly deliver: Deliver;
  readonly onError: (error: Error) => void;
  /** Whether the connection is over HTTP. */
  readonly hasHeaders: boolean;
}

export class ModernConnection {
  readonly #engine: Client;
  readonly #deliver: Deliver;
  readonly #options: ResolvedConnectOptions;
  readonly #questions: Questions;
  readonly #changes: Changes;
  readonly #calls: ModernCalls;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #declared: JsonObject;

  /** @param initialize - what the client sent to open its connection. */
  constructor(
    initialize: JsonObject,
    options: ResolvedConnectOptions,
    { deliver, onError, hasHeaders }: ConnectionOptions,
  ) {
    this.#options = options;
    this.#deliver = deliver;
    this.#questions = new Questions(deliver);
    this.#declared = declaredBy(initialize);
    this.#engine = createEngine(initialize, this.#declared, options);
    this.#changes = new Changes(this.#engine, onError);
    this.#calls = new ModernCalls(this.#engine, hasHeaders);
    this.#engine.onerror = onError;
    this.#engine.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === 'notifications/tools/list_changed') this.#calls.forgetTools();
      deliver({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
    };
  }

  set onclose(listener: () => void) {
    this.#engine.onclose = listener;
  }

  /** @throws HandshakeServer when the server turns out to speak the handshake era, and what the engine throws. */
  async connect(transport: WireTransport): Promise<void> {
    await this.#engine.connect(transport);
  }

  /** What the server said of itself, as the answer to the client's `initialize`. */
  introduction(): JsonObject {
    return introductionOf(this.#engine);
  }

  /** Listens for changes of lists. Never rejects. */
  listen(): Promise<void> {
    return this.#changes.open();
  }

  async close(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    // The engine's own end closes its streams too.
    void this.#changes.close().catch(() => undefined);
    await this.#engine.close();
  }

  /** Takes a message of the client's. */
  take(message: JsonRpcRequest | JsonRpcNotification | JsonRpcAnswer): void {
    if (!('method' in message)) this.#questions.take(message);
    else if ('id' in message) void this.#answer(message);
    else if (message.method === 'notifications/cancelled') {
      this.#running.get(message.params?.['requestId'] as RequestId)?.abort(new Error('The call was cancelled'));
    }
  }

  /** Sends a request of the modern revision. Gives an ask as it is. */
  call(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#calls.send(method, params, options);
  }

  async #answer({ id, method, params = {} }: JsonRpcRequest): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#resultOf(method, params, controller.signal);
      if (!controller.signal.aborted) this.#deliver({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.#deliver({ jsonrpc: '2.0', id, error: jsonRpcErrorOf(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #resultOf(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    switch (method) {
      // Requests of the handshake era that the modern revision has other means for.
      case 'ping':
        return {};
      case 'logging/setLevel':
        this.#calls.logLevel = String(params['level']);
        return {};
      case 'resources/subscribe':
        await this.#changes.subscribe(String(params['uri']));
        return {};
      case 'resources/unsubscribe':
        await this.#changes.unsubscribe(String(params['uri']));
        return {};
      default:
        return this.#request(method, params, signal);
    }
  }

  async #request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const options = { signal, ...this.#progressTo(params) };
    if (isAskingMethod(method) && this.#options.inputRequired === 'answer') {
      return meetAsks({
        maxRounds: this.#options.maxRounds,
        capabilities: this.#declared,
        signal,
        send: (retry) => this.call(method, { ...params, ...retry }, options),
        ask: (...question) => this.#questions.ask(...question),
      });
    }
    const result = await this.call(method, params, options);
    if (!isInputRequiredResult(result)) return result;
    // The client's own functions have no way to give an ask to their caller.
    const message =
      `${method} needs input, and this connection returns asks: call it with callTool, getPrompt or readResource of ` +
      'mcp-dual-era/client, which can give you the ask.';
    throw new RpcError({ code: INTERNAL_ERROR, message, data: { reason: 'input-required' } });
  }

  /** What hands progress on under the token of the client's own, where it sent one. */
  #progressTo({ _meta: meta }: JsonObject): Pick<CallOptions, 'onprogress'> {
    const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined;
    if (progressToken === undefined) return {};
    const onprogress = (progress: JsonObject): void =>
      this.#deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...progress, progressToken } });
    return { onprogress };
  }
}
