/** The product that the official v2 engine serves: thin, since every request is handed on to an SDK v1 instance. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  McpServer,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { RequestId } from '../core/json-rpc.ts';
import { integer, object, oneOf } from '../core/option-checks.ts';
import type { Introduction } from './introductions.ts';
import type { ModernClient, ModernRequest } from './modern-request.ts';

/** Hints for clients that keep results, by the operation. */
export type CacheHints = NonNullable<ServerOptions['cacheHints']>;

/** Serves a request that the engine has checked. */
export type Serve = (request: ModernRequest) => Promise<JsonObject>;

interface EngineRequest {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}
type FallbackHandler = NonNullable<McpServer['server']['fallbackRequestHandler']>;
type Handler = (request: EngineRequest, context: ServerContext) => Promise<JsonObject>;

// Never asked: what goes through here has been checked by SDK v1. A validator of the engine's own takes 0.1 ms to make.
const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => {
    throw new Error('The bridge validates nothing');
  },
};

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
}

export interface FrontOptions {
  readonly cacheHints: CacheHints | undefined;
  /** The params of the request `id` as they came: the engine reads answers that are no object as none. */
  readonly rawParams: (id: RequestId) => JsonObject | undefined;
  readonly onClose: () => void;
}

function modernRequestOf(
  { method, params = {} }: EngineRequest,
  { mcpReq, http }: ServerContext,
  raw: JsonObject | undefined,
): ModernRequest {
  const { id, signal, _meta } = mcpReq;
  const envelope = (mcpReq.envelope ?? {}) as JsonObject;
  const requestState: unknown = mcpReq.requestState();
  const inputResponses = raw === undefined ? mcpReq.inputResponses : ownMember(raw, 'inputResponses');
  const level = envelope[LOG_LEVEL_META_KEY];
  return {
    id,
    method,
    params: _meta === undefined ? params : { ...params, _meta },
    client: clientOf(envelope),
    logLevel: typeof level === 'string' ? level : undefined,
    retry: {
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    },
    authInfo: http?.authInfo,
    requestInfo: requestInfoOf(http?.req),
    signal,
    notify: (notification) => mcpReq.notify(notification as Parameters<typeof mcpReq.notify>[0]),
  };
}

export function clientOf(envelope: JsonObject): ModernClient {
  const info = envelope[CLIENT_INFO_META_KEY];
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return {
    info: isJsonObject(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}

/** `request` as SDK v1 tells its handlers of it. Made when it is read: most handlers never do. */
export function requestInfoOf(request: Request | undefined): unknown {
  return request === undefined ? undefined : new RequestInfo(request);
}

class RequestInfo {
  readonly #request: Request;
  #headers: Record<string, string> | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get headers(): Record<string, string> {
    this.#headers ??= Object.fromEntries(this.#request.headers);
    return this.#headers;
  }

  get url(): URL {
    return new URL(this.#request.url);
  }
}

const CACHEABLE = [
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/list',
];

/** @throws TypeError or RangeError for hints that the specification or the engine does not have. */
export function checkCacheHints(cacheHints: CacheHints): void {
  object('cacheHints', cacheHints);
  for (const [name, hint] of Object.entries(cacheHints)) {
    oneOf('a member of cacheHints', name, CACHEABLE);
    const { ttlMs, cacheScope } = hint ?? {};
    if (ttlMs !== undefined && ttlMs !== 0) integer(`cacheHints['${name}'].ttlMs`, ttlMs);
    if (cacheScope !== undefined) oneOf(`cacheHints['${name}'].cacheScope`, cacheScope, ['public', 'private']);
  }
  void new McpServer({ name: 'mcp-dual-era', version: '1' }, { jsonSchemaValidator: NO_VALIDATOR, cacheHints });
}

/** `result` with the hint for `method`, unless it says itself how long it keeps. An ask never keeps. */
export function withCacheHint(result: JsonObject, method: string, cacheHints: CacheHints | undefined): JsonObject {
  const hint = cacheHints?.[method as keyof CacheHints];
  return hint === undefined || isInputRequiredResult(result) ? result : { ...hint, ...result };
}
