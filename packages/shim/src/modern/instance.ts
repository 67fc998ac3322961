/** One SDK v1 instance that serves modern requests, over a private transport and after one synthetic handshake. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../core/json.ts';
import {
  INVALID_PARAMS,
  isRequest,
  type JsonRpcAnswer,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import { endConnection } from '../handshake/end-connection.ts';
import { protocolOf, requireFree } from '../handshake/install.ts';
import type { Message } from '../handshake/session.ts';
import { BridgeTransport } from './bridge-transport.ts';
import { isChange } from './changes.ts';
import { readClientOfRun } from './client-of-run.ts';
import { type Introduction, Introductions } from './introductions.ts';
import { dropLateNotifications } from './late-notifications.ts';
import { MidBodyCalls, type PushOptions } from './mid-body-calls.ts';
import type { ModernClient, ModernRequest } from './modern-request.ts';
import { OwnRequests } from './own-requests.ts';
import { RunningCall, type RunOptions } from './running-call.ts';
import { WireError } from './wire-error.ts';
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

/** Notifications that the modern revision does not have (spec: 2026-07-28, removed messages). */
const GONE = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/initialized',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
]);

/** What undoes the last instance's hold on a server. */
const undoes = new WeakMap<Server, () => void>();

export class Instance {
  readonly server: McpServer | Server;
  readonly #protocol: Server;
  readonly #options: InstanceOptions;
  readonly #transport: BridgeTransport;
  readonly #calls = new Map<RequestId, RunningCall>();
  readonly #midBody: MidBodyCalls;
  readonly #own: OwnRequests;
  readonly #introductions: Introductions;
  readonly #current: AsyncLocalStorage<RunningCall> | undefined;
  /** Gives the server its own view of its client back, where several are told apart. */
  readonly #restore: (() => void) | undefined;
  #ownCount = 0;
  #isClosed = false;

  constructor(server: McpServer | Server, options: InstanceOptions) {
    this.server = server;
    this.#protocol = protocolOf(server, 'The serving entry');
    this.#options = options;
    this.#transport = new BridgeTransport((message, sendOptions) => this.#take(message, sendOptions));
    this.#own = new OwnRequests((request) => this.#transport.deliver(request, options.caller));
    this.#introductions = new Introductions(this.#protocol, (method, params) => this.ask(method, params));
    dropLateNotifications(this.#protocol);
    this.#current = options.isShared ? new AsyncLocalStorage() : undefined;
    // A factory may hand out a server again.
    undoes.get(this.#protocol)?.();
    this.#midBody = new MidBodyCalls(this.#protocol, options.push, {
      callOf: (relatedTo) => this.#callOf(relatedTo),
      fail: (id, error) => this.#transport.deliver({ jsonrpc: '2.0', id, error }),
      end: (call, reason) => this.#cancel(call, reason),
      abort: (call) => this.#abort(call),
      isElsewhere: () => this.#protocol.transport !== undefined && this.#protocol.transport !== this.#transport,
      tellsRuns: options.isShared,
    });
    undoes.set(this.#protocol, () => this.#midBody.restore());
    const current = this.#current;
    this.#restore = current && readClientOfRun(this.#protocol, () => current.getStore()?.client);
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
    const onAbort = (): void => this.#cancel(call, new Error('The request was cancelled'));
    this.#calls.set(call.id, call);
    request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#deliver(call, meta);
      const answer = await call.answered;
      if (call.flushed !== undefined) await call.flushed;
      return answer;
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      this.#calls.delete(call.id);
    }
  }

  /** A request of the bridge's own. @throws Error when the server answers with one. */
  ask(method: string, params: JsonObject): Promise<JsonObject> {
    return this.#own.ask(this.#nextId(), method, params);
  }

  /** Hands on a notification of the client's. */
  notify(notification: JsonRpcNotification): void {
    this.#transport.deliver(notification);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // SDK v1 before 1.28 aborts no signal when its transport closes.
    for (const call of this.#calls.values()) this.#cancel(call, new Error('The connection was closed'));
    this.#own.close();
    // Its run may still be ending.
    await this.#midBody.close();
    this.#restore?.();
    const { push, onError } = this.#options;
    await endConnection(this.server, this.#transport, { clock: push.clock, onError });
  }

  #deliver(call: RunningCall, meta: JsonObject): void {
    const { method, params, authInfo, requestInfo } = call.request;
    const message: JsonRpcRequest = {
      jsonrpc: '2.0',
      id: call.id,
      method,
      params: { ...withoutTask(params), _meta: meta },
    };
    // SDK v1 never answers what its own guard does not take for a request.
    if (!isRequest(message)) throw new WireError(INVALID_PARAMS, `Invalid params of ${method}: _meta is malformed`);
    const extra = { authInfo, requestInfo } as MessageExtraInfo;
    if (this.#current === undefined) this.#transport.deliver(message, extra);
    else this.#current.run(call, () => this.#transport.deliver(message, extra));
  }

  // SDK v1 cannot cancel a request with the id 0 or ''.
  #freeId(id: RequestId): RequestId {
    return id === 0 || id === '' || this.#isTaken(id) ? this.#nextId() : id;
  }

  #isTaken(id: RequestId): boolean {
    return this.#calls.has(id) || this.#midBody.has(id) || this.#own.has(id);
  }

  #nextId(): string {
    this.#ownCount += 1;
    return `mcp-dual-era.${this.#ownCount}`;
  }

  #cancel(call: RunningCall, reason: Error): void {
    if (call.isOver) return;
    call.end(reason);
    this.#abort(call);
  }

  #abort(call: RunningCall): void {
    this.#transport.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: call.id } });
  }

  #take(message: Message, options: TransportSendOptions | undefined): Promise<void> {
    if (!('method' in message)) this.#takeAnswer(message);
    else if ('id' in message) this.#takeRequest(message, options);
    else return this.#takeNotification(message, options);
    return Promise.resolve();
  }

  #takeAnswer(answer: JsonRpcAnswer): void {
    if (this.#own.take(answer)) return;
    this.#midBody.noteAnswer(answer);
    this.#calls.get(answer.id)?.answer(answer);
  }

  #takeRequest({ id, method, params }: JsonRpcRequest, options: TransportSendOptions | undefined): void {
    const answer = this.#midBody.answerTo({ id, method, params }, options?.relatedRequestId);
    if (answer === undefined) return;
    // Whoever waits for an answer gets one, also where its run is over.
    queueMicrotask(() => this.#transport.deliver({ jsonrpc: '2.0', id, ...answer }));
  }

  #takeNotification(notification: JsonRpcNotification, options: TransportSendOptions | undefined): Promise<void> {
    if (isChange(notification)) {
      this.#options.onChange(notification);
      return Promise.resolve();
    }
    if (GONE.has(notification.method)) return Promise.resolve();
    const call = this.#callOf(options?.relatedRequestId);
    call?.suspension?.noteAct();
    return call?.notify(notification) ?? Promise.resolve();
  }

  /** The call that a message belongs to: the one it names, or the one whose run sent it. */
  #callOf(relatedTo: RequestId | undefined): RunningCall | undefined {
    const current = this.#current?.getStore();
    // By the run itself where that is known: its id may be another one's by now.
    if (current !== undefined) return current;
    if (relatedTo !== undefined) return this.#calls.get(relatedTo) ?? this.#midBody.suspended(relatedTo);
    if (this.#current !== undefined) return undefined;
    const [only = this.#midBody.suspended()] = this.#calls.values();
    return only;
  }
}

/** Tasks are no part of the modern revision. */
function withoutTask(params: JsonObject): JsonObject {
  if (!('task' in params)) return params;
  const { task: _task, ...others } = params;
  return others;
}
