/** The handshake sessions of an HTTP endpoint: opened by `initialize`, found by their id, bound to who opened them. */
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { withCleanCapabilities } from '../core/capabilities.ts';
import type { Holds } from '../core/holds.ts';
import { isJsonObject } from '../core/json.ts';
import type { Ports } from '../core/options.ts';
import { principalUnlessDenied, type SubjectOf } from '../core/principal.ts';
import { giveHints } from '../handshake/hints.ts';
import { requireFree } from '../handshake/install.ts';
import type { ServerEvent } from '../modern/changes.ts';
import { errorResponse, type HttpError, withRequestId } from '../modern/json-response.ts';
import { eventsOfSession } from './event-store.ts';
import { HttpTransport } from './http-transport.ts';
import type { ResolvedSessionOptions } from './resolve-http-options.ts';
import { HttpSession } from './session.ts';

export interface SessionsOptions {
  readonly limits: ResolvedSessionOptions;
  readonly ports: Ports;
  readonly subject: SubjectOf;
  readonly holds: Holds;
  /** A server of the factory's, with the shim on it. */
  readonly createServer: (authInfo: AuthInfo | undefined, request: Request) => Promise<McpServer | Server>;
  readonly onChange: (event: ServerEvent) => void;
  readonly onError: (error: Error) => void;
}

interface Entry {
  readonly session: HttpSession;
  /** Who opened it, as one comparable text. */
  readonly principal: string;
}

const FULL = {
  status: 503,
  code: -32000,
  message: 'This server has as many sessions open as it allows. Try again later',
};
const NO_SESSION = {
  status: 400,
  code: -32000,
  message: 'Bad Request: Mcp-Session-Id header is required. Send initialize first',
};
const NOT_FOUND = { status: 404, code: -32001, message: 'Session not found' };
export const DENIED: HttpError = { status: 403, code: -32000, message: 'The caller is denied' };

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  /** Sessions that are about to open count as well. */
  #opening = 0;
  /** The session whose instance is announcing a change right now: it has told its own client. */
  #announcing: HttpSession | undefined;
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  async fetch(request: Request, authInfo: AuthInfo | undefined, body: unknown): Promise<Response> {
    const principal = principalUnlessDenied(authInfo, this.#options.subject);
    if (principal === undefined) return errorResponse(DENIED, body);
    if (request.method === 'POST' && isInitialize(body)) return this.#open(request, { authInfo, body, principal });
    const id = request.headers.get('mcp-session-id');
    if (id === null) return errorResponse(NO_SESSION, body);
    const entry = this.#entries.get(id);
    // A session of somebody else's does not exist for this caller.
    if (entry?.principal !== principal) return errorResponse(NOT_FOUND, body);
    return withRequestId(await entry.session.handle(request, authInfo, body), body);
  }

  /** Tells every session of a change, but the one whose instance announced it. */
  announce(event: ServerEvent): void {
    for (const { session } of this.#entries.values()) if (session !== this.#announcing) session.announce(event);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map(({ session }) => session.close()));
    this.#entries.clear();
  }

  async #open(
    request: Request,
    given: { readonly authInfo: AuthInfo | undefined; readonly body: unknown; readonly principal: string },
  ): Promise<Response> {
    const { authInfo, body, principal } = given;
    if (this.#entries.size + this.#opening >= this.#options.limits.max) return errorResponse(FULL, body);
    this.#opening += 1;
    let isOpening = true;
    const settle = (): void => {
      if (isOpening) this.#opening -= 1;
      isOpening = false;
    };
    // A factory that takes its time must not keep the place of a client that has left.
    request.signal.addEventListener('abort', settle, { once: true });
    try {
      const server = await this.#options.createServer(authInfo, request);
      const session = await this.#connect(server, (id, opened) => {
        settle();
        if (!this.#isClosed && !request.signal.aborted) this.#entries.set(id, { session: opened, principal });
      });
      // The transport would not take these for an opening at all.
      const response = await session.handle(request, authInfo, withCleanCapabilities(body));
      // The transport has refused it: nothing was opened.
      if (isOpening || this.#isClosed || request.signal.aborted || !response.ok) await session.close();
      return await withRequestId(response, body);
    } finally {
      settle();
    }
  }

  async #connect(server: McpServer | Server, onOpen: (id: string, session: HttpSession) => void): Promise<HttpSession> {
    const { limits, ports, holds, onError } = this.#options;
    const id = ports.randomId();
    const transport = new HttpTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => onOpen(id, session),
      ...(limits.eventStore === undefined ? {} : { eventStore: eventsOfSession(limits.eventStore, id) }),
      ...(limits.retryInterval === undefined ? {} : { retryInterval: limits.retryInterval }),
    });
    giveHints(transport, { disconnectGrace: limits.disconnectGrace, holds });
    const session: HttpSession = new HttpSession({
      transport,
      server,
      idleTimeout: limits.idleTimeout,
      clock: ports.clock,
      onChange: (event) => this.#publish(session, event),
      onEnd: () => this.#entries.delete(id),
      onError,
    });
    transport.onclose = () => session.release();
    requireFree(server);
    try {
      await server.connect(transport);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  #publish(session: HttpSession, event: ServerEvent): void {
    this.#announcing = session;
    try {
      this.#options.onChange(event);
    } finally {
      this.#announcing = undefined;
    }
  }
}

function isInitialize(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((message) => isJsonObject(message) && message['method'] === 'initialize' && 'id' in message);
}
