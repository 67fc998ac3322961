/** The options of the serving entry, and the factory that it serves. */
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { InputRequiredOptions } from '../core/options.ts';
import type { Era } from '../core/revision.ts';
import type { CacheHints } from '../modern/cache-hints.ts';

/** What a factory is told about the server it is to make. */
export interface ServeContext {
  /** The era of the client that the server is for. Handlers need not know it. */
  readonly era: Era;
  /** Who the caller is, where the transport authenticated it. Over HTTP only. */
  readonly authInfo?: AuthInfo;
  /** The HTTP request that the server is made for: the `initialize` of a session, or the modern request itself. */
  readonly requestInfo?: Request;
}

/**
 * Makes a fresh server: one for each handshake session, each modern HTTP request, and each stdio connection. Make it
 * cheap, and share what can be shared: above all a `jsonSchemaValidator`.
 */
export type ServerFactory = (context: ServeContext) => McpServer | Server | Promise<McpServer | Server>;

/** The sessions of handshake clients over HTTP. */
export interface SessionOptions {
  /**
   * How long a session without a call or a stream stays open, in milliseconds: 1 to 2 147 483 647.
   * @defaultValue 1 800 000
   */
  readonly idleTimeout?: number | undefined;
  /** Sessions at once; the next `initialize` gets HTTP 503. An integer >= 1. @defaultValue 1 000 */
  readonly max?: number | undefined;
  /** Keeps what was sent, so that clients can resume a stream. @defaultValue none */
  readonly eventStore?: EventStore | undefined;
  /** What a client is told to wait before it resumes a stream, in milliseconds. @defaultValue the client's own */
  readonly retryInterval?: number | undefined;
  /**
   * With an event store: how long a question stays open after its client went away, in milliseconds: 1 to
   * 2 147 483 647. Without one it ends at once. @defaultValue 30 000
   */
  readonly disconnectGrace?: number | undefined;
}

/** What both serving functions take. */
export interface ServeOptions {
  /** The options of the shim; false leaves handshake connections without it. @defaultValue the shim's defaults */
  readonly inputRequired?: InputRequiredOptions | false | undefined;
  /** Which eras are served. @defaultValue 'both' */
  readonly eras?: 'both' | Era | undefined;
  /**
   * What a handler meets on the modern leg that asks in mid-body (`elicitInput`, `createMessage`, `listRoots`). `'reject'`:
   * its request ends at once with an error that names the cure. `'replay'`: the question goes to the client, and the
   * handler runs again from the top with the answer, so that whatever it does before a question happens once for each
   * round. @defaultValue 'reject'
   */
  readonly pushCalls?: 'reject' | 'replay' | undefined;
  /**
   * With `'replay'`: whether a question that goes to the client rejects in the run that asked it, so that the run ends and
   * can clean up, or never settles. @defaultValue 'reject'
   */
  readonly suspend?: 'reject' | 'pending' | undefined;
  /** How long modern clients may keep results, by the operation: `{ ttlMs, cacheScope }`. @defaultValue not at all */
  readonly cacheHints?: CacheHints | undefined;
  /** Hears of what goes wrong beside the requests themselves. @defaultValue none */
  readonly onerror?: ((error: Error) => void) | undefined;
}

export interface HttpServeOptions extends ServeOptions {
  readonly sessions?: SessionOptions | undefined;
  /** The host names, without ports, under which the server may be called. @defaultValue loopback names */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The host names of the pages whose scripts may call it. @defaultValue `allowedHosts`, or loopback names */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The longest body that is read, in bytes. An integer >= 1. @defaultValue 4 194 304 */
  readonly maxBodyBytes?: number | undefined;
  /** Lets the server go beyond loopback names without a `requestState` key. @defaultValue false */
  readonly allowEphemeralKey?: boolean | undefined;
}
