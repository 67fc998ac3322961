/**
 * Finds out whether a call over Streamable HTTP has a stream that a question can ride.
 *
 * SDK v1's HTTP transports drop a question in silence where it cannot travel: in JSON response mode, and after the
 * client has gone. No public member says which it is, so the transport's public `handleRequest` is wrapped: a call that
 * is not answered although its response has begun is a stream.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WebRequest } from './http-body.ts';
import type { StreamGrace } from './stream-grace.ts';
import { withHooks } from './watch-body.ts';

/** The HTTP request that a call arrived in, and its response. */
export interface HttpExchange {
  /** Whether the response has begun; before the answer, that means it is a stream. */
  hasBegun(): boolean;
  /** Whether the client has closed its side of the response and cannot come back to it. */
  isGone(): boolean;
  /** Calls `listener` when the client goes away for good; the returned function stops that. */
  onGone(listener: () => void): () => void;
}

const current = new AsyncLocalStorage<{ readonly transport: object; readonly exchange: HttpExchange }>();

/** Runs the handling of an HTTP request by `transport` so that `currentExchange` finds its exchange. */
export function runInExchange<Result>(transport: object, exchange: HttpExchange, run: () => Result): Result {
  return current.run({ transport, exchange }, run);
}

/**
 * The exchange of the HTTP request that `transport` is handling; undefined outside one. A handler may call a server on
 * another transport, whose messages have nothing to do with this request.
 */
export function currentExchange(transport: object): HttpExchange | undefined {
  const store = current.getStore();
  return store?.transport === transport ? store.exchange : undefined;
}

/** What is used of node's `ServerResponse`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  write(chunk: unknown, ...rest: unknown[]): boolean;
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown };
}

/** Tells node's response from the options of the web-standard transport. */
export function isNodeResponse(value: unknown): value is NodeResponse {
  return typeof value === 'object' && value !== null && 'writeHead' in value;
}

/** The exchange of a request to node's HTTP server. */
export function nodeExchange(response: NodeResponse, grace: StreamGrace): HttpExchange {
  const stream = new StreamState(grace);
  // The transport may end a stream whose call is not answered; and the client may be gone before it gets here.
  if (response.destroyed) stream.close();
  else response.once('close', () => stream.close());
  const { write } = response;
  response.write = (chunk, ...rest) => {
    stream.note(chunk);
    return write.call(response, chunk, ...rest);
  };
  return stream.exchange(() => response.headersSent);
}

/** The exchange of a web-standard request; `begin` is to be given its response, and hands out the one to send. */
export function webExchange(
  { signal }: WebRequest,
  grace: StreamGrace,
): HttpExchange & { begin(response: Response): Response } {
  const stream = new StreamState(grace);
  let hasBegun = false;
  if (signal.aborted) stream.close();
  else signal.addEventListener('abort', () => stream.close(), { once: true });
  const begin = (response: Response): Response => {
    hasBegun = true;
    return withHooks(response, {
      onChunk: (chunk) => stream.note(chunk),
      onEnd: () => stream.close(),
    });
  };
  return { ...stream.exchange(() => hasBegun), begin };
}

/** What the client's side of a response stream has come to. */
class StreamState {
  /** The client holds an event id, with which it can come back: SDK v1 sends ids where it has an event store. */
  #isResumable = false;
  #isClosed = false;
  #isLost = false;
  readonly #grace: StreamGrace;
  #stopWaiting: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(grace: StreamGrace) {
    this.#grace = grace;
  }

  note(chunk: unknown): void {
    if (!this.#isResumable) this.#isResumable = hasEventId(chunk);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#isResumable) this.#waitForReturn();
    else this.#lose();
  }

  /** Waits only while somebody wants to know: most streams close because their call is answered. */
  #waitForReturn(): void {
    if (this.#isLost || this.#listeners.size === 0) return;
    this.#stopWaiting ??= this.#grace.wait(() => this.#lose());
  }

  #lose(): void {
    this.#isLost = true;
    for (const listener of this.#listeners) listener();
  }

  #unlisten(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  exchange(hasBegun: () => boolean): HttpExchange {
    return {
      hasBegun,
      isGone: () => this.#isClosed && (this.#isLost || !this.#isResumable),
      onGone: (listener) => {
        this.#listeners.add(listener);
        if (this.#isClosed && this.#isResumable) this.#waitForReturn();
        return () => this.#unlisten(listener);
      },
    };
  }
}

// An event id is at the beginning of its event, before the data.
const HEAD_BYTES = 32;
const decoder = new TextDecoder();

function hasEventId(chunk: unknown): boolean {
  const head = typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? chunk.subarray(0, HEAD_BYTES) : '';
  const text = typeof head === 'string' ? head.slice(0, HEAD_BYTES) : decoder.decode(head);
  return /^(?:event: \w+\n)?id: /.test(text);
}
