/** One SDK v1 instance that serves modern requests, over a private transport and after one synthetic handshake. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcAnswer, JsonRpcNotification, JsonRpcRequest, RequestId } from '../core/json-rpc.ts';
import { endServer } from '../handshake/end-connection.ts';
import { protocolOf, requireFree } from '../handshake/install.ts';
import type { Message } from '../handshake/session.ts';
import { BridgeTransport } from './bridge-transport.ts';
import { isChange } from './changes.ts';
import { readClientOfRun } from './client-of-run.ts';
import { InstanceCalls } from './instance-calls.ts';
import { type Introduction, Introductions } from './introductions.ts';
import { dropLateNotifications } from './late-notifications.ts';
import { MidBodyCalls } from './mid-body-calls.ts';
import type { ModernClient, ModernRequest } from './modern-request.ts';
import { OwnRequests } from './own-requests.ts';
import type { PushOptions } from './push-options.ts';
import { RunningCall, type RunOptions } from './running-call.ts';
import { v1Request } from './v1-request.ts';
import { withoutStack } from './without-stack.ts';

export interface InstanceOptions {
  /** Who the instance serves, where that is one caller: what the bridge asks for itself, it asks as them. */
  readonly caller?: MessageExtraInfo;
  /** Whether several requests are served at once, as on a stdio connection. */
  readonly isShared: boolean;
  /** A list changed, or a resource was updated. */
  readonly onChange: (notification: JsonRpcNotification) => void;
  /** What becomes of the requests that handlers make of their client in mid-body. */
  readonly push: PushOptions;
  readonly onError: (error: Error) => void;
}

export class Instance {
  readonly server: McpServer | Server;
  readonly #protocol: Server;
  readonly #options: InstanceOptions;
  readonly #transport: BridgeTransport;
  readonly #calls: InstanceCalls;
  readonly #midBody: MidBodyCalls;
  readonly #own: OwnRequests;
  readonly #introductions: Introductions;
  /** Gives the server its own view of its client back, where several are told apart. */
  readonly #restore: (() => void) | undefined;
  #isClosed = false;

  constructor(server: McpServer | Server, options: InstanceOptions) {
    this.server = server;
    this.#protocol = protocolOf(server, 'The serving entry');
    this.#options = options;
    this.#transport = new BridgeTransport((message, sendOptions) => this.#take(message, sendOptions));
    this.#own = new OwnRequests((request) => this.#transport.deliver(request, options.caller));
    this.#introductions = new Introductions(this.#protocol, (method, params) => this.ask(method, params));
    this.#calls = new InstanceCalls(this.#transport, options.isShared);
    dropLateNotifications(this.#protocol);
    this.#midBody = new MidBodyCalls(this.#protocol, options.push, { transport: this.#transport, calls: this.#calls });
    this.#restore = options.isShared ? readClientOfRun(this.#protocol, () => this.#calls.client) : undefined;
  }

  /** Connects the server. @throws DualEraError when it is connected already, and what its `connect` throws. */
  async connect(): Promise<void> {
    requireFree(this.server);
    try {
      await this.server.connect(this.#transport);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Introduces `client`, which SDK v1 then holds for the one it serves. */
  introduce(client: ModernClient): Promise<Introduction> {
    return this.#introductions.introduce(client);
  }

  /** Whether the server has a handler for `method`. */
  handles(method: string): boolean {
    if (this.#protocol.fallbackRequestHandler !== undefined) return true;
    try {
      withoutStack(() => this.#protocol.assertCanSetRequestHandler(method));
      return false;
    } catch {
      return true;
    }
  }

  /**
   * Runs `request` with `meta` as its `_meta`, and gives SDK v1's answer once all that was sent before it has gone out: or
   * the ask of what the run asked in mid-body, where its ledger has no answer to it.
   *
   * Rejects when the request is cancelled, refused or cut off.
   */
  async run(request: ModernRequest, meta: JsonObject, run: RunOptions = {}): Promise<JsonRpcAnswer> {
    const client = this.#options.isShared ? await this.#introductions.adopt(request.client) : undefined;
    request.signal.throwIfAborted();
    const call = new RunningCall(request, this.#freeId(request.id), run, client);
    const onAbort = (): void => this.#calls.cancel(call, new Error('The request was cancelled'));
    this.#calls.add(call);
    request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const { authInfo, requestInfo } = request;
      this.#calls.begin(call, v1Request(request, call.id, meta), { authInfo, requestInfo } as MessageExtraInfo);
      const answer = await call.answered;
      if (call.flushed !== undefined) await call.flushed;
      return answer;
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      this.#calls.delete(call);
    }
  }

  /** A request of the bridge's own. @throws Error when the server answers with one. */
  ask(method: string, params: JsonObject): Promise<JsonObject> {
    return this.#own.ask(method, params);
  }

  /** Hands on a notification of the client's. */
  notify(notification: JsonRpcNotification): void {
    this.#transport.deliver(notification);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // SDK v1 before 1.28 aborts no signal when its transport closes.
    this.#calls.cancelAll('The connection was closed');
    this.#own.close();
    // Its run may still be ending.
    await this.#calls.suspendedEnded();
    this.#restore?.();
    const { push, onError } = this.#options;
    await endServer(this.server, { clock: push.clock, onError });
    await this.#transport.close();
  }

  // SDK v1 cannot cancel a request with the id 0 or ''.
  #freeId(id: RequestId): RequestId {
    const isTaken = id === 0 || id === '' || this.#calls.has(id) || this.#own.has(id);
    return isTaken ? this.#own.nextId() : id;
  }

  #take(message: Message, options: TransportSendOptions | undefined): Promise<void> {
    if (!('method' in message)) this.#takeAnswer(message);
    else if ('id' in message) this.#takeRequest(message, options);
    else return this.#takeNotification(message, options);
    return Promise.resolve();
  }

  #takeAnswer(answer: JsonRpcAnswer): void {
    if (!this.#own.take(answer)) this.#calls.answer(answer);
  }

  #takeRequest(request: JsonRpcRequest, options: TransportSendOptions | undefined): void {
    const answer = this.#midBody.answerTo(request, options?.relatedRequestId);
    if (answer === undefined) return;
    // Whoever waits for an answer gets one, also where its run is over.
    queueMicrotask(() => this.#transport.deliver({ jsonrpc: '2.0', id: request.id, ...answer }));
  }

  #takeNotification(notification: JsonRpcNotification, options: TransportSendOptions | undefined): Promise<void> {
    if (isChange(notification)) {
      this.#options.onChange(notification);
      return Promise.resolve();
    }
    return this.#calls.of(options?.relatedRequestId)?.notify(notification) ?? Promise.resolve();
  }
}
