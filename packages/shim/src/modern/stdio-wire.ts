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
  type JsonRpcRequest,
  type RequestId,
} from '../core/json-rpc.ts';
import type { Era } from '../core/revision.ts';
import { duplicateIdAnswer } from '../handshake/duplicate-id.ts';
import type { Message } from '../handshake/session.ts';
import { claimOf } from './inbound.ts';
import { tooManyUris } from './listening.ts';
import { Acknowledgements, type AcknowledgementsOptions } from './stdio-acknowledgements.ts';
import { foreignClaim, isForeign } from './stdio-claims.ts';
import { StdioInput } from './stdio-input.ts';
import { StdioRequests } from './stdio-requests.ts';

type Wire = NonNullable<ServeStdioOptions['transport']>;
type WireMessage = Parameters<Wire['send']>[0];

/** Both ends of the pipe: of a process, its own stdin and stdout. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioWireOptions {
  readonly eras: 'both' | Era;
  readonly onClose: () => void;
  readonly onListen: AcknowledgementsOptions['onListen'];
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
  readonly #acknowledgements: Acknowledgements;
  /** The envelope of the request that came last. */
  envelope: JsonObject = {};
  /** Whether the connection was opened by a handshake: claims mean nothing then. */
  isHandshake = false;

  constructor({ input, output }: StdioStreams, options: StdioWireOptions) {
    this.#options = options;
    this.#requests = new StdioRequests((id) => {
      this.#acknowledgements.end(id);
      options.onListenEnd(id);
    });
    this.#acknowledgements = new Acknowledgements({
      onListen: options.onListen,
      isListening: (id) => this.#requests.isListening(id),
      send: (notification) => void this.#write(notification as WireMessage).catch(this.#onError),
    });
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
    // The engine takes the next message of the client when this has settled.
    if (isNotification(message) && this.#acknowledgements.hold(message)) return;
    await this.#write(message);
  }

  async #write(message: WireMessage): Promise<void> {
    try {
      await this.#inner.send(message);
    } finally {
      this.#closeWhenIdle();
    }
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
