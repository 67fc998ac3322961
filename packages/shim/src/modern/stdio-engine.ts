/** The modern leg over stdio: the official v2 server in front, one SDK v1 instance for the connection behind it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Holds } from '../core/holds.ts';
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcNotification, METHOD_NOT_FOUND } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import type { Era } from '../core/revision.ts';
import { giveHints } from '../handshake/hints.ts';
import { clientOf } from './engine-request.ts';
import { Front } from './front.ts';
import { Instance } from './instance.ts';
import type { ModernLeg } from './leg.ts';
import type { ModernRequest } from './modern-request.ts';
import { serveRequest } from './serve-request.ts';
import { StdioListeners } from './stdio-listeners.ts';
import { type StdioStreams, StdioWire } from './stdio-wire.ts';
import { WireError } from './wire-error.ts';

export interface StdioEngineOptions {
  readonly eras: 'both' | Era;
  readonly createServer: (era: Era) => Promise<McpServer | Server>;
  readonly legOf: (server: McpServer | Server) => ModernLeg;
  readonly clock: Clock;
  readonly holds: Holds;
  readonly onError: (error: Error) => void;
}

export interface StdioHandle {
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

type Product = Awaited<ReturnType<Parameters<typeof serveStdio>[0]>>;

export function startStdioEngine(streams: StdioStreams, options: StdioEngineOptions): StdioHandle {
  const connection = new StdioConnection(streams, options);
  return { closed: connection.closed, close: () => connection.close() };
}

class StdioConnection {
  readonly #options: StdioEngineOptions;
  readonly #wire: StdioWire;
  readonly #handle: ReturnType<typeof serveStdio>;
  readonly closed: Promise<void>;
  #listeners: StdioListeners | undefined;

  constructor(streams: StdioStreams, options: StdioEngineOptions) {
    this.#options = options;
    const { eras, onError } = options;
    let onClose: () => void = () => undefined;
    this.closed = new Promise((resolve) => {
      onClose = resolve;
    });
    this.#wire = new StdioWire(streams, {
      eras,
      onClose,
      onListen: async (id, uris) => (await this.#listeners?.begin(id, uris)) ?? [],
      onListenEnd: (id) => this.#listeners?.end(id),
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
    const server = await this.#options.createServer('handshake').catch((error: unknown) => {
      // Nothing was opened: the next message may open either era.
      this.#wire.isHandshake = false;
      throw error;
    });
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
    let front: Front | undefined;
    const instance = new Instance(server, {
      isShared: true,
      onChange: (notification) => this.#announce(front, notification),
      push: leg.push,
      onError: this.#options.onError,
    });
    await instance.connect();
    const introduction = await instance.introduce(clientOf(this.#wire.envelope)).catch(async (error: unknown) => {
      await instance.close();
      throw error;
    });
    front = new Front(introduction, {
      cacheHints: leg.cacheHints,
      rawParams: (id) => this.#wire.paramsOf(id),
      onClose: () => void instance.close().catch(this.#options.onError),
    });
    const serve = async (request: ModernRequest): Promise<JsonObject> => {
      if (!instance.handles(request.method)) throw new WireError(METHOD_NOT_FOUND, 'Method not found');
      return serveRequest(leg, instance, request);
    };
    front.serveBy(serve);
    front.hearBy(async (notification) => instance.notify(notification));
    this.#listeners = new StdioListeners(instance, this.#options);
    return front;
  }

  #announce(front: Front | undefined, notification: JsonRpcNotification): void {
    if (this.#listeners?.isUnasked(notification) !== true) front?.tell(notification).catch(this.#options.onError);
  }
}
