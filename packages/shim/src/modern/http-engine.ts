/** The modern leg over HTTP: the official v2 handler in front, an SDK v1 instance for each request behind it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type AuthInfo,
  createMcpHandler,
  InMemoryServerEventBus,
  type McpRequestContext,
  type McpServer as ModernServer,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { Clock } from '../core/options.ts';
import { principalUnlessDenied } from '../core/principal.ts';
import { eventOf } from './changes.ts';
import { clientOf } from './engine-request.ts';
import { Front } from './front.ts';
import { HttpInstances, type Made } from './http-instances.ts';
import { HttpListeners } from './http-listeners.ts';
import type { Introduction } from './introductions.ts';
import { errorResponse } from './json-response.ts';
import type { ModernLeg } from './leg.ts';
import { tooManyUris } from './listening.ts';
import type { ModernRequest } from './modern-request.ts';
import { serveRequest } from './serve-request.ts';
import { ToolHeaders } from './tool-headers.ts';

export interface HttpEngineOptions {
  readonly createServer: (context: McpRequestContext) => Promise<McpServer | Server>;
  readonly legOf: (server: McpServer | Server) => ModernLeg;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

const NOBODY: Introduction = { serverInfo: { name: '', version: '' }, capabilities: {}, instructions: undefined };

export class HttpEngine {
  readonly #options: HttpEngineOptions;
  readonly #engine: ReturnType<typeof createMcpHandler>;
  readonly #headers = new ToolHeaders();
  /** The message that each HTTP request in the engine carries: it hands the request itself to its factory (pinned). */
  readonly #messages = new Map<Request, JsonObject>();
  readonly #instances: HttpInstances;
  readonly #listeners: HttpListeners;
  readonly bus: InMemoryServerEventBus;
  readonly notify: ServerNotifier;
  #inFlight = 0;

  constructor(options: HttpEngineOptions) {
    const { createServer, legOf, onError } = options;
    this.#options = options;
    this.#listeners = new HttpListeners(options);
    this.#instances = new HttpInstances({
      createServer,
      legOf,
      onChange: (notification) => this.bus.publish(eventOf(notification)),
      onError,
    });
    this.bus = new InMemoryServerEventBus(onError);
    this.bus.subscribe(({ kind }) => {
      if (kind === 'tools_list_changed') this.#headers.forget();
    });
    this.#engine = createMcpHandler((context) => this.#product(context), {
      legacy: 'reject',
      bus: this.bus,
      maxRequestBodySize: options.maxBodyBytes,
      onerror: onError,
    });
    this.notify = this.#engine.notify;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** @param parsedBody - the body of `request`, where it has been read. */
  async fetch(request: Request, authInfo: AuthInfo | undefined, parsedBody: unknown): Promise<Response> {
    const mistake = tooManyUris(paramsOf(parsedBody)['notifications']);
    if (mistake !== undefined) return errorResponse({ status: 400, ...mistake }, parsedBody);
    if (isJsonObject(parsedBody)) this.#messages.set(request, parsedBody);
    try {
      const response = await this.#engine.fetch(request, {
        ...(authInfo === undefined ? {} : { authInfo }),
        ...(parsedBody === undefined ? {} : { parsedBody }),
      });
      return this.#listeners.watch(request, response);
    } finally {
      this.#messages.delete(request);
    }
  }

  async close(): Promise<void> {
    this.#instances.stop();
    await this.#engine.close();
    await this.#instances.closeAll();
  }

  async #product(context: McpRequestContext): Promise<ModernServer> {
    const request = context.requestInfo;
    const message = request === undefined ? undefined : this.#messages.get(request);
    if (request === undefined || message === undefined) throw new Error('The engine served a request that nobody sent');
    if (!Object.hasOwn(message, 'id')) return this.#notificationFront(context);
    return this.#requestFront(context, request, message);
  }

  /** Nothing is opened for a notification before it turns out that somebody wants it. */
  #notificationFront(context: McpRequestContext): Front {
    const front = new Front(NOBODY, { cacheHints: undefined, rawParams: () => undefined, onClose: () => undefined });
    front.hearBy(async (notification) => {
      const { instance } = await this.#instances.make(context);
      instance.notify(notification);
      this.#instances.close(instance);
    });
    return front;
  }

  async #requestFront(context: McpRequestContext, request: Request, message: JsonObject): Promise<Front> {
    const method = String(message['method']);
    const params = paramsOf(message);
    const made = await this.#instances.make(context);
    const { instance } = made;
    // The engine hears of a client that leaves only once the request is in its hands.
    const onGone = (): void => {
      if (!this.#listeners.end(request)) this.#instances.close(instance);
    };
    request.signal.addEventListener('abort', onGone, { once: true });
    try {
      if (request.signal.aborted) throw new Error('The client is gone');
      const introduction = await instance.introduce(clientOf(paramsOf(params, '_meta')));
      const isListening = method === 'subscriptions/listen';
      const front = new Front(introduction, {
        cacheHints: made.leg.cacheHints,
        rawParams: () => params,
        // The engine closes the product of a listener at once; its instance stays, to be heard.
        onClose: () => (isListening ? undefined : onGone()),
      });
      if (isListening) {
        const onEnd = (): void => this.#instances.close(instance);
        await this.#listeners.begin(request, paramsOf(params, 'notifications'), { instance, onEnd });
      } else if (instance.handles(method)) await this.#serve(front, made, { method, params, context });
      this.#instances.requireOpen();
      return front;
    } catch (error) {
      this.#instances.close(instance);
      throw error;
    }
  }

  async #serve(
    front: Front,
    { instance, leg }: Made,
    { method, params, context }: { method: string; params: JsonObject; context: McpRequestContext },
  ): Promise<void> {
    const caller = principalUnlessDenied(context.authInfo, leg.settings.options.subject);
    if (method === 'tools/call') {
      front.toolSchema = await this.#headers.schemaOf(params['name'], caller, instance);
    }
    const serve = async (served: ModernRequest): Promise<JsonObject> => {
      this.#inFlight += 1;
      try {
        const result = await serveRequest(leg, instance, served);
        if (method === 'tools/list') this.#headers.note(result, served.params, caller);
        return result;
      } finally {
        this.#inFlight -= 1;
      }
    };
    front.serveBy(serve);
  }
}

function paramsOf(object: unknown, name = 'params'): JsonObject {
  const params = isJsonObject(object) ? ownMember(object, name) : undefined;
  return isJsonObject(params) ? params : {};
}
