/** The product that the official v2 engine serves: thin, since every request is handed on to an SDK v1 instance. */
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { CacheHints } from './cache-hints.ts';
import { type EngineRequest, modernRequestOf } from './engine-request.ts';
import type { Introduction } from './introductions.ts';
import type { ModernRequest } from './modern-request.ts';
import { NO_VALIDATOR } from './no-validator.ts';

/** Serves a request that the engine has checked. */
export type Serve = (request: ModernRequest) => Promise<JsonObject>;

type FallbackHandler = NonNullable<McpServer['server']['fallbackRequestHandler']>;
type Handler = (request: EngineRequest, context: ServerContext) => Promise<JsonObject>;

export class Front extends McpServer {
  readonly #onClose: () => void;
  readonly #rawParams: FrontOptions['rawParams'];
  /** The input schema of the tool that is called, where it names headers. */
  toolSchema: JsonObject | undefined;

  constructor({ serverInfo, capabilities, instructions }: Introduction, options: FrontOptions) {
    const { cacheHints, onClose, rawParams } = options;
    super(serverInfo, {
      jsonSchemaValidator: NO_VALIDATOR,
      ...(instructions === undefined ? {} : { instructions }),
      ...(cacheHints === undefined ? {} : { cacheHints }),
    });
    // Not by the constructor, which would register handlers of the engine's own.
    this.server.registerCapabilities(capabilities);
    this.#onClose = onClose;
    this.#rawParams = rawParams;
    this.server.onclose = onClose;
  }

  /** Published for the engine's own use (pinned in test/contract): the only way to have `Mcp-Param-*` checked. */
  override toolInputSchemaJson(): JsonObject | undefined {
    return this.toolSchema;
  }

  // The engine also closes a product that it never connected.
  override async close(): Promise<void> {
    this.#onClose();
    await super.close();
  }

  /**
   * Has `serve` answer every method but those of the engine's own. Not by registered handlers: the engine would check
   * params and results once more, which SDK v1 has checked.
   */
  serveBy(serve: Serve): void {
    const handler: Handler = (request, context) =>
      serve(modernRequestOf(request, context, this.#rawParams(context.mcpReq.id)));
    this.server.fallbackRequestHandler = handler as unknown as FallbackHandler;
  }

  /** Has `take` hear of the client's notifications that are not the engine's own. */
  hearBy(take: (notification: JsonRpcNotification) => Promise<void>): void {
    this.server.fallbackNotificationHandler = ({ method, params }) =>
      take({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  /** Tells the client, outside any request. */
  async tell({ method, params }: JsonRpcNotification): Promise<void> {
    const notification = params === undefined ? { method } : { method, params };
    await this.server.notification(notification as Parameters<typeof this.server.notification>[0]);
  }
}

export interface FrontOptions {
  readonly cacheHints: CacheHints | undefined;
  /** The params of the request `id` as they came: the engine reads answers that are no object as none. */
  readonly rawParams: (id: RequestId) => JsonObject | undefined;
  readonly onClose: () => void;
}
