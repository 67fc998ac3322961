/**
 * The pipe to a client on stdio, with what the engine's transport for it lacks: requests that are running when the input
 * ends still get their answers, the version of every message is looked at, and no id is in use twice.
 */
import type { Readable, Writable } from 'node:stream';
import { type ServeStdioOptions, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { JsonObject } from '../core/json.ts';
import {
  errorAnswer,
  isAnswer,
  isNotification,
  isRequest,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import { duplicateIdAnswer } from '../handshake/duplicate-id.ts';
import type { Message } from '../handshake/session.ts';
import { claimOf, type Era } from './inbound.ts';
import { tooManyUris, urisOf } from './listening.ts';
import { foreignClaim, isForeign } from './stdio-claims.ts';
import { StdioInput } from './stdio-input.ts';
import { StdioRequests } from './stdio-requests.ts';

type Wire = NonNullable<ServeStdioOptions['transport']>;
type WireMessage = Parameters<Wire['send']>[0];

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Both ends of the pipe: of a process, its own stdin and stdout. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioWireOptions {
  readonly eras: 'both' | Era;
  readonly onClose: () => void;
  /** A subscription is about to stand: those of the resources it listens for that the server grants. */
  readonly onListen: (id: RequestId, uris: readonly string[]) => Promise<readonly string[]>;
  readonly onListenEnd: (id: RequestId) => void;
}

export class StdioWire implements Wire {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Wire['onmessage'];
  readonly #options: StdioWireOptions;
  readonly #input: StdioInput;
  readonly #inner: StdioServerTransport;
  readonly #requests: StdioRequests;
  /** The envelope of the request that came last. */
  envelope: JsonObject = {};
  /** Whether the connection was opened by a handshake: claims mean nothing then. */
  isHandshake = false;

  constructor({ input, output }: StdioStreams, options: StdioWireOptions) {
    this.#options = options;
    this.#requests = new StdioRequests(options.onListenEnd);
    this.#input = new StdioInput(input, { onEnd: () => this.#closeWhenIdle(), onError: this.#onError });
    this.#inner = new StdioServerTransport(this.#input.stream, output);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => {
      this.#input.close();
      this.onclose?.();
      this.#options.onClose();
    };
    this.#inner.onerror = this.#onError;
    this.#inner.onmessage = (message) => this.#receive(message as Message);
    this.#input.open();
    await this.#inner.start();
  }

  async send(message: WireMessage): Promise<void> {
    if (isAnswer(message)) this.#requests.settle(message.id);
    const isAcknowledgement = isNotification(message) && message.method === ACKNOWLEDGED;
    const sent = isAcknowledgement ? await this.#withGranted(message) : message;
    try {
      await this.#inner.send(sent as WireMessage);
    } finally {
      this.#closeWhenIdle();
    }
  }

  /** The acknowledgement of a listener, of what was granted alone. */
  async #withGranted(message: JsonRpcNotification): Promise<JsonRpcNotification> {
    const { _meta: meta, notifications } = (message.params ?? {}) as { _meta?: JsonObject; notifications?: JsonObject };
    const id = meta?.[SUBSCRIPTION] as RequestId;
    const uris = urisOf(notifications);
    // It may have ended before it stands.
    if (uris.length === 0 || !this.#requests.isListening(id)) return message;
    const { resourceSubscriptions: _, ...others } = notifications ?? {};
    const granted = await this.#options.onListen(id, uris);
    const honoured = granted.length === 0 ? others : { ...others, resourceSubscriptions: granted };
    return { ...message, params: { ...message.params, notifications: honoured } };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Calls `listener` when the input has ended; the returned function stops that. */
  onInputEnd(listener: () => void): () => void {
    return this.#input.watchEnd(listener);
  }

  /** The params of the running request `id` as they came. */
  paramsOf(id: RequestId): JsonObject | undefined {
    return this.#requests.paramsOf(id);
  }

  readonly #onError = (error: Error): void => this.onerror?.(error);

  #closeWhenIdle(): void {
    // Who listens for the end decides by itself: it knows which calls wait for an answer that cannot come.
    if (!this.#input.hasEnded || this.#input.isWatched || this.#requests.areRunning) return;
    void this.close().catch(this.#onError);
  }

  #receive(message: Message): void {
    if (isRequest(message)) {
      const refusal = this.#refusalOf(message);
      if (refusal !== undefined) return void this.#inner.send(refusal as WireMessage).catch(this.#onError);
      if (claimOf(message.params) !== undefined) this.envelope = message.params?.['_meta'] as JsonObject;
      this.#requests.add(message);
    } else if (isNotification(message)) {
      // A notification cannot be answered, so one that claims what is not spoken here is dropped.
      if (!this.isHandshake && isForeign(message.params, this.#options.eras)) return;
      if (message.method === 'notifications/cancelled') this.#cancel(message.params?.['requestId'] as RequestId);
    }
    this.onmessage?.(message as WireMessage);
  }

  #cancel(id: RequestId): void {
    this.#requests.cancel(id);
    // After the engine has heard of it too.
    queueMicrotask(() => this.#closeWhenIdle());
  }

  #refusalOf(request: JsonRpcRequest): Message | undefined {
    const { id, method, params } = request;
    if (this.#requests.has(id)) return duplicateIdAnswer(id);
    const mistake = method === 'subscriptions/listen' ? tooManyUris(params?.['notifications']) : undefined;
    const error = mistake ?? (this.isHandshake ? undefined : foreignClaim(request, this.#options.eras));
    return error === undefined ? undefined : errorAnswer(id, error);
  }
}
