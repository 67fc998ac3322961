/**
 * The process's own stdin and stdout, with what the engine's transport for them lacks: requests that are running when
 * stdin ends still get their answers, the version of every message is looked at, and no id is in use twice.
 */
import { PassThrough } from 'node:stream';
import { type ServeStdioOptions, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { JsonObject } from '../core/json.ts';
import {
  errorAnswer,
  isAnswer,
  isNotification,
  isRequest,
  type JsonRpcNotification,
  type JsonRpcRequest,
  METHOD_NOT_FOUND,
  type RequestId,
  UNSUPPORTED_VERSION,
} from '../core/json-rpc.ts';
import { MODERN_REVISION } from '../core/revision.ts';
import { duplicateIdAnswer } from '../handshake/duplicate-id.ts';
import type { Message } from '../handshake/session.ts';
import { claimOf, type Era } from './inbound.ts';
import { tooManyUris, urisOf } from './listening.ts';

type Wire = NonNullable<ServeStdioOptions['transport']>;
type WireMessage = Parameters<Wire['send']>[0];

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUPPORTED: readonly string[] = [MODERN_REVISION];

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
  // Never ends by itself, so that the engine's transport does not close under what is still running.
  readonly #input = new PassThrough();
  readonly #inner: StdioServerTransport;
  /** Requests that are not answered; those that listen for changes aside, which have no end of their own. */
  readonly #running = new Map<RequestId, JsonRpcRequest>();
  readonly #listening = new Set<RequestId>();
  readonly #inputEndListeners = new Set<() => void>();
  #hasEnded = false;
  /** The envelope of the request that came last. */
  envelope: JsonObject = {};
  /** Whether the connection was opened by a handshake: claims mean nothing then. */
  isHandshake = false;

  constructor(options: StdioWireOptions) {
    this.#options = options;
    this.#inner = new StdioServerTransport(this.#input, process.stdout);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => {
      process.stdin.unpipe(this.#input);
      process.stdin.off('end', this.#onEnd);
      process.stdin.off('close', this.#onEnd);
      process.stdin.off('error', this.#onError);
      process.stdin.pause();
      this.#input.destroy();
      this.onclose?.();
      this.#options.onClose();
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.#receive(message as Message);
    process.stdin.on('end', this.#onEnd);
    process.stdin.on('close', this.#onEnd);
    process.stdin.on('error', this.#onError);
    process.stdin.pipe(this.#input, { end: false });
    await this.#inner.start();
  }

  async send(message: WireMessage): Promise<void> {
    if (isAnswer(message)) {
      this.#running.delete(message.id);
      this.#endListening(message.id);
    }
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
    if (uris.length === 0 || !this.#listening.has(id)) return message;
    const { resourceSubscriptions: _, ...others } = notifications ?? {};
    const granted = await this.#options.onListen(id, uris);
    const honoured = granted.length === 0 ? others : { ...others, resourceSubscriptions: granted };
    return { ...message, params: { ...message.params, notifications: honoured } };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Calls `listener` when stdin has ended; the returned function stops that. */
  onInputEnd(listener: () => void): () => void {
    this.#inputEndListeners.add(listener);
    // The server may have been made after the end.
    if (this.#hasEnded) queueMicrotask(listener);
    return () => this.#inputEndListeners.delete(listener);
  }

  /** The params of the running request `id` as they came. */
  paramsOf(id: RequestId): JsonObject | undefined {
    return this.#running.get(id)?.params;
  }

  readonly #onError = (error: Error): void => this.onerror?.(error);

  readonly #onEnd = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const listener of this.#inputEndListeners) listener();
    this.#closeWhenIdle();
  };

  #closeWhenIdle(): void {
    // Who listens for the end decides by itself: it knows which calls wait for an answer that cannot come.
    if (!this.#hasEnded || this.#running.size > 0 || this.#inputEndListeners.size > 0) return;
    void this.close().catch((error: Error) => this.onerror?.(error));
  }

  #receive(message: Message): void {
    const refusal = isRequest(message) ? this.#refusalOf(message) : undefined;
    if (refusal !== undefined) {
      this.#inner.send(refusal as WireMessage).catch((error: Error) => this.onerror?.(error));
      return;
    }
    if (isRequest(message)) {
      if (claimOf(message.params) !== undefined) this.envelope = message.params?.['_meta'] as JsonObject;
      if (message.method === 'subscriptions/listen') this.#listening.add(message.id);
      else this.#running.set(message.id, message);
    } else if (isNotification(message)) {
      // A notification cannot be answered, so one that claims what is not spoken here is dropped.
      if (!this.isHandshake && this.#isForeign(message.params)) return;
      if (message.method === 'notifications/cancelled') this.#forget(message.params?.['requestId'] as RequestId);
    }
    this.onmessage?.(message as WireMessage);
  }

  #forget(id: RequestId): void {
    if (this.#running.get(id)?.method === 'initialize') return;
    this.#running.delete(id);
    this.#endListening(id);
    // After the engine has heard of it too.
    queueMicrotask(() => this.#closeWhenIdle());
  }

  #endListening(id: RequestId): void {
    if (this.#listening.delete(id)) this.#options.onListenEnd(id);
  }

  #refusalOf(request: JsonRpcRequest): Message | undefined {
    const { id, method, params } = request;
    if (this.#running.has(id) || this.#listening.has(id)) return duplicateIdAnswer(id);
    const mistake = method === 'subscriptions/listen' ? tooManyUris(params?.['notifications']) : undefined;
    if (mistake !== undefined) return errorAnswer(id, mistake);
    if (this.isHandshake || method === 'initialize' || !this.#isForeign(params)) return undefined;
    const requested = claimOf(params);
    if (this.#options.eras === 'handshake') {
      const message = 'This server speaks revisions up to 2025-11-25 here: send initialize first';
      return errorAnswer(id, { code: METHOD_NOT_FOUND, message });
    }
    const message = `Unsupported protocol version: ${requested}`;
    return errorAnswer(id, { code: UNSUPPORTED_VERSION, message, data: { supported: SUPPORTED, requested } });
  }

  /** Whether `params` claim a revision that is not served. A claim that is no text is left to the engine. */
  #isForeign(params: JsonObject | undefined): boolean {
    const claim = claimOf(params);
    if (claim === undefined) return false;
    return this.#options.eras === 'handshake' || (typeof claim === 'string' && !SUPPORTED.includes(claim));
  }
}
