/** The HTTP request that SDK v1 is handling, and the response to it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WebRequest } from './http-body.ts';
import type { StreamGrace } from './stream-grace.ts';
import { type HttpExchange, StreamState } from './stream-state.ts';
import { withHooks } from './watch-body.ts';

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
