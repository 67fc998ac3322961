/**
 * Finds out whether a call over Streamable HTTP has a stream that a question can ride.
 *
 * SDK v1's HTTP transports drop a question in silence where it cannot travel: in JSON response mode, and after the
 * client has gone. No public member says which it is, so the transport's public `handleRequest` is wrapped: a call that
 * is not answered although its response has begun is a stream.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../core/options.ts';
import type { WebRequest } from './http-body.ts';

/** The HTTP request that a call arrived in, and its response. */
export interface HttpExchange {
  /** Whether the response has begun; before the answer, that means it is a stream. */
  hasBegun(): boolean;
  /** Whether the client's side of the response has been closed. */
  isGone(): boolean;
  /** Calls `listener` when the client's side closes; the returned function stops that. */
  onGone(listener: () => void): () => void;
}

const current = new AsyncLocalStorage<HttpExchange>();

/** Runs the handling of an HTTP request so that `currentExchange` finds its exchange. */
export function runInExchange<Result>(exchange: HttpExchange, run: () => Result): Result {
  return current.run(exchange, run);
}

/** The exchange of the HTTP request being handled; undefined outside one. */
export function currentExchange(): HttpExchange | undefined {
  return current.getStore();
}

/** What is used of node's `ServerResponse`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly closed: boolean;
  on(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown };
}

/** Tells node's response from the options of the web-standard transport. */
export function isNodeResponse(value: unknown): value is NodeResponse {
  return typeof value === 'object' && value !== null && 'writeHead' in value;
}

export function nodeExchange(response: NodeResponse): HttpExchange {
  const isGone = (): boolean => response.closed && !response.writableFinished;
  return {
    hasBegun: () => response.headersSent,
    isGone,
    onGone: (listener) => {
      const onClose = (): void => {
        if (isGone()) listener();
      };
      response.on('close', onClose);
      return () => response.off('close', onClose);
    },
  };
}

export function webExchange(request: WebRequest): HttpExchange & { begin(): void } {
  const { signal } = request;
  let hasBegun = false;
  return {
    begin: () => {
      hasBegun = true;
    },
    hasBegun: () => hasBegun,
    isGone: () => signal.aborted,
    onGone: (listener) => {
      signal.addEventListener('abort', listener);
      return () => signal.removeEventListener('abort', listener);
    },
  };
}

// Counted in turns of the event loop as well as in milliseconds: on a busy process a deadline alone would pass before
// the response had its chance to begin.
const POLLS = 10;
const POLL_MS = 2;

/** Waits until the response of `exchange` has begun, for at least 20 ms; false when it has not. */
export async function hasStream(exchange: HttpExchange, clock: Clock): Promise<boolean> {
  // One turn first: a question written before the response is handed out is held back by the HTTP adapter.
  await new Promise<void>((resolve) => clock.setImmediate(resolve));
  for (let poll = 0; poll < POLLS && !exchange.hasBegun(); poll += 1) {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, POLL_MS));
  }
  return exchange.hasBegun();
}
