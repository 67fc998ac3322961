/** The modern leg over stdio: the official v2 server in front, one SDK v1 instance for the connection behind it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Holds } from '../core/holds.ts';
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcNotification, METHOD_NOT_FOUND, type RequestId } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import { giveHints } from '../handshake/hints.ts';
import { settleWithin } from '../handshake/settle-within.ts';
import { type CacheHints, withCacheHint } from './cache-hints.ts';
import { clientOf } from './engine-request.ts';
import { Front } from './front.ts';
import type { Era } from './inbound.ts';
import { Instance } from './instance.ts';
import type { ModernLeg } from './leg.ts';
import { Listening } from './listening.ts';
import type { ModernRequest } from './modern-request.ts';
import { serveRequest } from './serve-request.ts';
import { type StdioStreams, StdioWire } from './stdio-wire.ts';
import { Subscriptions } from './subscriptions.ts';
import { WireError } from './wire-error.ts';

export interface StdioEngineOptions {
  readonly eras: 'both' | Era;
  readonly createServer: (era: Era) => Promise<McpServer | Server>;
  readonly legOf: (server: McpServer | Server) => ModernLeg;
  readonly cacheHints: CacheHints | undefined;
  readonly clock: Clock;
  readonly holds: Holds;
  readonly onError: (error: Error) => void;
}

export interface StdioHandle {
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long a server may take to grant what a client listens for, in milliseconds. */
const LONGEST_SUBSCRIBE = 5_000;

type Product = Awaited<ReturnType<Parameters<typeof serveStdio>[0]>>;

export function startStdioEngine(streams: StdioStreams, options: StdioEngineOptions): StdioHandle {
  const connection = new StdioConnection(streams, options);
  return { closed: connection.closed, close: () => connection.close() };
}

class StdioConnection {
  readonly #options: StdioEngineOptions;
  readonly #wire: StdioWire;
  readonly #handle: ReturnType<typeof serveStdio>;
  readonly #listening = new Map<RequestId, Listening>();
  readonly closed: Promise<void>;
  readonly #clock: Clock;
  #subscriptions: Subscriptions | undefined;

  constructor(streams: StdioStreams, options: StdioEngineOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const { eras, onError } = options;
    let onClose: () => void = () => undefined;
    this.closed = new Promise((resolve) => {
      onClose = resolve;
    });
    this.#wire = new StdioWire(streams, {
      eras,
      onClose,
      onListen: (id, uris) => this.#listen(id, uris),
      onListenEnd: (id) => this.#endListening(id),
    });
    this.#handle = serveStdio(({ era }) => (era === 'modern' ? this.#modernProduct() : this.#handshakeProduct()), {
      legacy: eras === 'modern' ? 'reject' : 'serve',
      transport: this.#wire,
      onerror: onError,
    });
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.closed;
  }

  /** The server of the factory as it is, which the engine only connects and closes. */
  async #handshakeProduct(): Promise<Product> {
    this.#wire.isHandshake = true;
    const server = await this.#options.createServer('handshake');
    const product = {
      connect: (channel: Transport) =>
        server.connect(
          giveHints(channel, { onInputEnd: (listener) => this.#wire.onInputEnd(listener), holds: this.#options.holds }),
        ),
      close: () => server.close(),
    };
    return product as unknown as Product;
  }

  async #modernProduct(): Promise<Product> {
    const server = await this.#options.createServer('modern');
    const leg = this.#options.legOf(server);
    const { cacheHints } = this.#options;
    let front: Front | undefined;
    const instance = new Instance(server, {
      isShared: true,
      onChange: (notification) => this.#announce(front, notification),
      push: leg.push,
      onError: this.#options.onError,
    });
    await instance.connect();
    front = new Front(await instance.introduce(clientOf(this.#wire.envelope)), {
      cacheHints,
      rawParams: (id) => this.#wire.paramsOf(id),
      onClose: () => void instance.close().catch(this.#options.onError),
    });
    const serve = async (request: ModernRequest): Promise<JsonObject> => {
      if (!instance.handles(request.method)) throw new WireError(METHOD_NOT_FOUND, 'Method not found');
      return withCacheHint(await serveRequest(leg, instance, request), request.method, cacheHints);
    };
    front.serveBy(serve);
    front.server.fallbackNotificationHandler = async ({ method, params }) =>
      instance.notify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
    this.#subscriptions = new Subscriptions(instance, this.#options.onError);
    return front;
  }

  #announce(front: Front | undefined, { method, params }: JsonRpcNotification): void {
    const uri = params?.['uri'];
    const isUpdate = method === 'notifications/resources/updated';
    if (isUpdate && this.#subscriptions?.isAsked === true && !this.#subscriptions.has(String(uri))) return;
    const notification = params === undefined ? { method } : { method, params };
    front?.server
      .notification(notification as Parameters<Front['server']['notification']>[0])
      .catch(this.#options.onError);
  }

  /** Those of `uris` that the server grants; an answer that does not come in time is a no. */
  async #listen(id: RequestId, uris: readonly string[]): Promise<readonly string[]> {
    if (this.#subscriptions === undefined) return uris;
    const listening = new Listening(this.#subscriptions);
    this.#listening.set(id, listening);
    const granted = listening.begin(uris);
    let known: readonly string[] = [];
    const noted = granted.then((all) => {
      known = all;
    });
    await settleWithin(noted, LONGEST_SUBSCRIBE, { clock: this.#clock, onError: this.#options.onError });
    return known;
  }

  #endListening(id: RequestId): void {
    this.#listening.get(id)?.end();
    this.#listening.delete(id);
  }
}
