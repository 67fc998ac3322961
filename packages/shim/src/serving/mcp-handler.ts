/** What `createMcpHandler` gives. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { HoldStats } from '../core/holds.ts';
import type { ServerNotifier } from '../modern/changes.ts';

export type { ServerNotifier };

export interface McpHandlerStats {
  /** Handshake sessions that are open. */
  readonly sessions: number;
  readonly modern: {
    /** Modern requests that are being served. */
    readonly inFlight: number;
  };
  /** Calls of handshake sessions that wait for a person, or for a place. */
  readonly holds: HoldStats;
}

/** What is known of a request that the request itself does not say. */
export interface FetchOptions {
  /** Who the caller is, as whoever authenticated it says. Never taken from headers. */
  readonly authInfo?: AuthInfo;
  /** The body, where somebody has parsed it. */
  readonly parsedBody?: unknown;
}

export interface McpHandler {
  /**
   * Serves a web-standard request. Bound, so that it can be passed around; but not as a runtime's own handler, which gives
   * it a second argument of another kind: write `fetch: (request) => handler.fetch(request)`.
   */
  readonly fetch: (request: Request, options?: FetchOptions) => Promise<Response>;
  /**
   * Serves a request of `node:http`, Express or Fastify, for which `@modelcontextprotocol/node` has to be installed.
   * `request.auth` is the caller, as SDK v1's own middleware sets it. It never rejects: what goes wrong is answered with
   * HTTP 500, and told to `onerror`.
   *
   * @param parsedBody - the body, where a body parser has read it.
   */
  readonly node: (
    request: IncomingMessage & { auth?: AuthInfo },
    response: ServerResponse,
    parsedBody?: unknown,
  ) => Promise<void>;
  /** Announces changes to every modern listener, and to every handshake session. */
  readonly notify: ServerNotifier;
  readonly stats: () => McpHandlerStats;
  /** Ends every session, request and stream. What comes later gets HTTP 503. */
  readonly close: () => Promise<void>;
}
