/** Serves both eras on one URL. */
import { asError, type DualEraError } from '../core/errors.ts';
import { integer } from '../core/option-checks.ts';
import { principalUnlessDenied } from '../core/principal.ts';
import type { Era } from '../core/revision.ts';
import { resolvePorts } from '../handshake/platform.ts';
import { BODY_READ, bodyWasRead } from '../modern/body-read.ts';
import type { ServerNotifier } from '../modern/changes.ts';
import { HttpEngine } from '../modern/http-engine.ts';
import {
  type Doorkeeper,
  doorkeeper,
  eraOf,
  hasJson,
  type Inbound,
  isClaim,
  readBody,
  refusal,
} from '../modern/inbound.ts';
import { errorResponse, FAILED } from '../modern/json-response.ts';
import { createLegs } from '../modern/legs.ts';
import { nodeFace } from '../modern/node-face.ts';
import { createServer, requireFactory } from './create-server.ts';
import type { FetchOptions, McpHandler, McpHandlerStats } from './mcp-handler.ts';
import { requireKey } from './require-key.ts';
import { HTTP_OPTIONS, hostNames, resolveSessionOptions } from './resolve-http-options.ts';
import { type ResolvedServeOptions, resolveServeOptions } from './resolve-serve-options.ts';
import type { HttpServeOptions, ServeContext, ServerFactory } from './serve-options.ts';
import { DENIED, Sessions } from './sessions.ts';

const DEFAULT_MAX_BODY_BYTES = 4_194_304;
const CLOSED = { status: 503, code: -32000, message: 'This server is closed' };
const METHODS = ['GET', 'POST', 'DELETE'];
const NOT_ALLOWED = { status: 405, code: -32000, message: `Method not allowed: use one of ${METHODS.join(', ')}` };
const NO_CLAIMS = {
  status: 400,
  code: -32000,
  message: 'Bad Request: this server speaks revisions up to 2025-11-25. Send initialize first',
};

/**
 * Serves what `factory` makes to both eras on one URL: requests that claim revision 2026-07-28 one by one, all others in
 * sessions of SDK v1's own Streamable HTTP transport, with the shim on (spec: basic/transports, versioning).
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds.
 * @throws DualEraError `EPHEMERAL_KEY` when `allowedHosts` goes beyond loopback names, modern clients are served,
 * and there is no `inputRequired.requestState` key.
 */
export function createMcpHandler(factory: ServerFactory, options: HttpServeOptions = {}): McpHandler {
  return new Endpoint(requireFactory(factory), options);
}

class Endpoint implements McpHandler {
  readonly #options: ResolvedServeOptions;
  readonly #door: Doorkeeper;
  readonly #maxBodyBytes: number;
  readonly #engine: HttpEngine;
  readonly #sessions: Sessions;
  #isClosed = false;
  readonly node: McpHandler['node'];
  readonly notify: ServerNotifier;

  constructor(factory: ServerFactory, options: HttpServeOptions) {
    const resolved = resolveServeOptions(options, HTTP_OPTIONS);
    const { settings, onError } = resolved;
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
    const hosts = hostNames('allowedHosts', options.allowedHosts);
    this.#options = resolved;
    this.#door = doorkeeper(hosts, hostNames('allowedOrigins', options.allowedOrigins));
    this.#maxBodyBytes = integer('maxBodyBytes', maxBodyBytes);
    const ports = resolvePorts(settings.ports);
    requireKey(resolved, hosts ?? [], options);
    this.#engine = new HttpEngine({
      createServer: ({ authInfo, requestInfo }) =>
        createServer(factory, contextOf('modern', authInfo, requestInfo), resolved),
      legOf: createLegs(settings, { ...resolved.leg, warnsOfKey: true }),
      maxBodyBytes: this.#maxBodyBytes,
      clock: ports.clock,
      onError,
    });
    this.#sessions = new Sessions({
      limits: resolveSessionOptions(options.sessions),
      ports,
      subject: settings.options.subject,
      holds: resolved.holds,
      createServer: (authInfo, requestInfo) =>
        createServer(factory, contextOf('handshake', authInfo, requestInfo), resolved),
      onChange: (event) => this.#engine.bus.publish(event),
      onError,
    });
    this.#engine.bus.subscribe((event) => this.#sessions.announce(event));
    this.notify = this.#engine.notify;
    this.node = nodeFace(this.fetch, { maxBodyBytes: this.#maxBodyBytes, onError, onMisuse: this.#onMisuse });
  }

  /** What only the operator can mend. */
  readonly #onMisuse = (error: DualEraError): void => {
    this.#options.onError(error);
    this.#options.warnUnheard(error.code, error.message);
  };

  readonly fetch = async (request: Request, options: FetchOptions = {}): Promise<Response> => {
    let body = options.parsedBody;
    try {
      return await this.#fetch(request, options, (read) => {
        body = read;
      });
    } catch (error) {
      this.#options.onError(asError(error));
      return errorResponse(FAILED, body);
    }
  };

  readonly stats = (): McpHandlerStats => ({
    sessions: this.#sessions.size,
    modern: { inFlight: this.#engine.inFlight },
    holds: this.#options.holds.stats(),
  });

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    const engine = this.#engine.close();
    const { hasOwnHolds, holds } = this.#options;
    // Whoever waits for an answer is told, before the stream that it would come on ends. Shared holds are drained by whom
    // they belong to.
    if (hasOwnHolds) await holds.drain(0);
    await Promise.all([this.#sessions.close(), engine]);
  };

  async #fetch(
    request: Request,
    { authInfo, parsedBody }: FetchOptions,
    onBody: (body: unknown) => void,
  ): Promise<Response> {
    const refused = refusal(request, this.#door);
    const isPost = request.method === 'POST';
    // What is no JSON is not read: the engine says so.
    const isRead = isPost && parsedBody === undefined && (refused !== undefined || hasJson(request));
    const isGone = isRead && request.bodyUsed;
    const inbound: Inbound = isRead && !isGone ? await readBody(request, this.#maxBodyBytes) : { body: parsedBody };
    const body = 'body' in inbound ? inbound.body : undefined;
    onBody(body);
    if (refused !== undefined) return errorResponse(refused, body);
    if (this.#isClosed) return errorResponse(CLOSED, body);
    if (isGone) {
      this.#onMisuse(bodyWasRead());
      return errorResponse(BODY_READ);
    }
    if ('error' in inbound) return errorResponse(inbound.error);
    if (!METHODS.includes(request.method)) return errorResponse(NOT_ALLOWED, body);
    const { eras } = this.#options;
    if (eras === 'handshake' && isClaim(body)) return errorResponse(NO_CLAIMS, body);
    const isModern = eras === 'modern' || (eras === 'both' && eraOf(request, body) === 'modern');
    const isJson = !isPost || hasJson(request);
    if (isModern && this.#isDenied(authInfo)) return errorResponse(DENIED, body);
    if (isModern || !isJson) return this.#engine.fetch(request, authInfo, body);
    return this.#sessions.fetch(request, authInfo, body);
  }

  #isDenied(authInfo: FetchOptions['authInfo']): boolean {
    return principalUnlessDenied(authInfo, this.#options.settings.options.subject) === undefined;
  }
}

function contextOf(
  era: Era,
  authInfo: ServeContext['authInfo'],
  requestInfo: ServeContext['requestInfo'],
): ServeContext {
  return {
    era,
    ...(authInfo === undefined ? {} : { authInfo }),
    ...(requestInfo === undefined ? {} : { requestInfo }),
  };
}
