/** A connection to a modern server, as a client of the handshake era sees it. */
import { Client, type ServerCapabilities } from '@modelcontextprotocol/client';
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
import { MODERN_REVISION, NEWEST_HANDSHAKE_REVISION } from '../core/revision.ts';
import { Changes } from './changes.ts';
import type { ResolvedConnectOptions } from './client-options.ts';
import { meetAsks } from './meet-asks.ts';
import { type Deliver, Questions } from './questions.ts';
import { jsonRpcErrorOf, RpcError } from './rpc-error.ts';
import type { WireTransport } from './target.ts';
import { ToolCalls } from './tool-calls.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
// The client has a limit of its own, which is the one that counts.
const NO_TIMEOUT = 2_147_483_647;

/** Takes any result: the client checks it. */
const ANY = { '~standard': { version: 1 as const, vendor: 'mcp-dual-era', validate: (value: unknown) => ({ value }) } };

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onprogress?: ((progress: JsonObject) => void) | undefined;
}

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
  readonly #tools: ToolCalls;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #declared: JsonObject;
  #logLevel: string | undefined;

  /** @param initialize - what the client sent to open its connection. */
  constructor(
    initialize: JsonObject,
    options: ResolvedConnectOptions,
    { deliver, onError, hasHeaders }: ConnectionOptions,
  ) {
    this.#options = options;
    this.#deliver = deliver;
    this.#questions = new Questions(deliver);
    const { clientInfo, capabilities } = initialize;
    // Tasks are no part of the modern revision.
    const { tasks: _tasks, ...declared } = isJsonObject(capabilities) ? capabilities : {};
    this.#engine = new Client(clientInfo as ConstructorParameters<typeof Client>[0], {
      capabilities: declared,
      versionNegotiation: {
        mode: options.mode === 'modern' ? { pin: MODERN_REVISION } : 'auto',
        probe: { timeoutMs: options.probeTimeout },
      },
      inputRequired: { autoFulfill: false },
    });
    this.#changes = new Changes(this.#engine, onError);
    this.#tools = new ToolCalls(this.#engine, hasHeaders);
    this.#engine.onerror = onError;
    this.#declared = declared;
    this.#engine.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === 'notifications/tools/list_changed') this.#tools.forget();
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
    const instructions = this.#engine.getInstructions();
    return {
      protocolVersion: NEWEST_HANDSHAKE_REVISION,
      capabilities: capabilitiesOf(this.#engine.getServerCapabilities()),
      serverInfo: this.#engine.getServerVersion() ?? { name: 'unknown', version: 'unknown' },
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  /** Starts to listen for changes of lists. */
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

  async #answer({ id, method, params = {} }: JsonRpcRequest): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#request(method, params, controller.signal);
      if (!controller.signal.aborted) this.#deliver({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.#deliver({ jsonrpc: '2.0', id, error: jsonRpcErrorOf(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  /** Requests of the handshake era that the modern revision has other means for. */
  async #request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (method === 'ping') return {};
    if (method === 'logging/setLevel') {
      this.#logLevel = String(params['level']);
      return {};
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      const uri = String(params['uri']);
      await (method === 'resources/subscribe' ? this.#changes.subscribe(uri) : this.#changes.unsubscribe(uri));
      return {};
    }
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    const { progressToken } = meta;
    const onprogress = (progress: JsonObject): void =>
      this.#deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...progress, progressToken } });
    const options = { signal, ...(progressToken === undefined ? {} : { onprogress }) };
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

  /** Sends a request of the modern revision. Gives an ask as it is. */
  async call(method: string, given: JsonObject, options: CallOptions): Promise<JsonObject> {
    try {
      return await this.#send(method, given, options);
    } catch (error) {
      if (!isJsonObject(error) || error['code'] !== 'UNSUPPORTED_RESULT_TYPE' || isAskingMethod(method)) throw error;
      const message = `The server answered ${method} with an ask, which only tools, prompts and resources may.`;
      throw new RpcError({ code: INTERNAL_ERROR, message, data: { reason: 'ask-not-met' } });
    }
  }

  async #send(method: string, given: JsonObject, { signal, onprogress }: CallOptions): Promise<JsonObject> {
    const { _meta: givenMeta, task: _task, ...others } = given;
    const { progressToken: _token, ...meta } = isJsonObject(givenMeta) ? givenMeta : {};
    const level = this.#logLevel === undefined ? {} : { [LOG_LEVEL]: this.#logLevel };
    const params = { ...others, _meta: { ...level, ...meta } };
    const allowInputRequired = isAskingMethod(method);
    const options = {
      timeout: NO_TIMEOUT,
      ...(signal === undefined ? {} : { signal }),
      ...(onprogress === undefined ? {} : { onprogress: (progress: object) => onprogress(progress as JsonObject) }),
      ...(allowInputRequired ? { allowInputRequired } : {}),
    };
    if (method === 'tools/list') return (await this.#tools.list(params, options)) as JsonObject;
    if (method === 'tools/call') return (await this.#tools.call(params as never, options)) as JsonObject;
    return (await this.#engine.request({ method, params }, ANY as never, options)) as JsonObject;
  }
}

function capabilitiesOf(capabilities: ServerCapabilities | undefined): JsonObject {
  return { ...capabilities };
}
