/** One handshake session over HTTP: an SDK v1 instance on SDK v1's own Streamable HTTP transport. */
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../core/json.ts';
import { isAnswer, isNotification, isRequest, type JsonRpcRequest, type RequestId } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import { endConnection } from '../handshake/end-connection.ts';
import { isEventStream, withHooks } from '../handshake/watch-body.ts';
import { eventOf, isChange, notificationOf, type ServerEvent } from '../modern/changes.ts';
import type { HttpTransport } from './http-transport.ts';

export interface SessionParts {
  readonly transport: HttpTransport;
  readonly server: McpServer | Server;
  readonly idleTimeout: number;
  readonly clock: Clock;
  /** The instance announced a change, which others are to hear too. */
  readonly onChange: (event: ServerEvent) => void;
  /** It takes no more requests. */
  readonly onEnd: () => void;
  readonly onError: (error: Error) => void;
}

// Node's adapter sends the headers of a stream with its first chunk, which a client waits for.
const COMMENT = new TextEncoder().encode(':\n\n');

export class HttpSession {
  readonly #options: SessionParts;
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  /** Requests of the client that are not answered. */
  readonly #calls = new Set<RequestId>();
  /** Subscriptions that are being asked for, and those that stand. */
  readonly #subscribing = new Map<RequestId, JsonRpcRequest>();
  readonly #uris = new Set<string>();
  #exchanges = 0;
  #timer: unknown;
  #isClosed = false;

  /** To be made before the server is connected. */
  constructor(options: SessionParts) {
    this.#options = options;
    const { transport } = options;
    const send = transport.send.bind(transport);
    this.#send = send;
    transport.send = (message, sendOptions) => {
      this.#noteSent(message);
      return send(message, sendOptions);
    };
    // SDK v1 goes on calling what is set before it connects.
    transport.onmessage = (message) => this.#noteReceived(message);
  }

  /** Serves one HTTP request of the client. */
  async handle(request: Request, authInfo: AuthInfo | undefined, parsedBody: unknown): Promise<Response> {
    this.#begin();
    try {
      const response = await this.#options.transport.handleRequest(request, {
        ...(authInfo === undefined ? {} : { authInfo }),
        ...(parsedBody === undefined ? {} : { parsedBody }),
      });
      if (!isEventStream(response)) {
        this.#end();
        return response;
      }
      return withHooks(response, { onEnd: () => this.#end(), prefix: COMMENT, signal: request.signal });
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Tells the client of a change that another instance announced. */
  announce(event: ServerEvent): void {
    if (event.kind === 'resource_updated' && !this.#uris.has(event.uri)) return;
    this.#send(notificationOf(event) as JSONRPCMessage).catch(this.#options.onError);
  }

  /** Never rejects, and does not wait for ever: what is the author's may fail, the session ends all the same. */
  async close(): Promise<void> {
    this.release();
    const { server, transport, clock, onError } = this.#options;
    await endConnection(server, transport, { clock, onError });
  }

  /** Takes no more requests, and stops what would keep the process alive. */
  release(): void {
    const { clock, onEnd } = this.#options;
    this.#isClosed = true;
    clock.clearTimeout(this.#timer);
    onEnd();
  }

  #begin(): void {
    this.#exchanges += 1;
    this.#options.clock.clearTimeout(this.#timer);
  }

  #end(): void {
    this.#exchanges -= 1;
    this.#watchIdle();
  }

  #watchIdle(): void {
    const { clock, idleTimeout } = this.#options;
    clock.clearTimeout(this.#timer);
    if (this.#isClosed || this.#exchanges > 0 || this.#calls.size > 0) return;
    this.#timer = clock.setTimeout(() => void this.close(), idleTimeout);
    // A session that nobody uses is no reason for the process to go on.
    (this.#timer as { unref?: () => void } | undefined)?.unref?.();
  }

  #noteReceived(message: unknown): void {
    if (isRequest(message)) {
      this.#calls.add(message.id);
      const isSubscription = message.method === 'resources/subscribe' || message.method === 'resources/unsubscribe';
      if (isSubscription) this.#subscribing.set(message.id, message);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      this.#noteEnd(message.params?.['requestId'] as RequestId);
    }
  }

  #noteSent(message: unknown): void {
    if (isAnswer(message)) {
      this.#noteSubscription(this.#subscribing.get(message.id), 'result' in message);
      this.#noteEnd(message.id);
    } else if (isNotification(message) && isChange(message)) {
      this.#options.onChange(eventOf(message));
    }
  }

  #noteSubscription(request: JsonRpcRequest | undefined, isGranted: boolean): void {
    const uri = isJsonObject(request?.params) ? request.params['uri'] : undefined;
    if (typeof uri !== 'string' || !isGranted) return;
    if (request?.method === 'resources/subscribe') this.#uris.add(uri);
    else this.#uris.delete(uri);
  }

  #noteEnd(id: RequestId): void {
    this.#subscribing.delete(id);
    if (this.#calls.delete(id)) this.#watchIdle();
  }
}
