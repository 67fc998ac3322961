/** Wraps the public `handleRequest` of SDK v1's Streamable HTTP transports. */
import { withCleanCapabilities } from '../core/capabilities.ts';
import { isJsonObject, isSameJson } from '../core/json.ts';
import { INVALID_REQUEST, type RequestId } from '../core/json-rpc.ts';
import { duplicateIdAnswer, requestIdsIn } from './duplicate-id.ts';
import { type Body, type NodeRequest, readNodeBody, readWebBody, type WebRequest } from './http-body.ts';
import { isNodeResponse, type NodeResponse, nodeExchange, runInExchange, webExchange } from './http-exchange.ts';
import type { IdsInUse } from './ids-in-use.ts';
import type { StreamGrace } from './stream-grace.ts';
import { isEventStream, withHooks } from './watch-body.ts';

type HandleRequest = (...args: unknown[]) => Promise<unknown>;

/** An SDK v1 transport that is driven by its public `handleRequest`. */
interface HttpTransport {
  readonly sessionId?: string | undefined;
  handleRequest?: HandleRequest;
}

/**
 * Wraps the public `handleRequest` of `transport`, the node or the web-standard one. False when it has none.
 * A request with an id that is in use is refused here (HTTP 400), before the transport mixes up their streams; so is one
 * whose body is too long to look for ids in (HTTP 413), unless it comes parsed.
 */
export function watchHttp(transport: HttpTransport, ids: IdsInUse, grace: StreamGrace): boolean {
  const original = transport.handleRequest;
  if (typeof original !== 'function') return false;
  const handle: HandleRequest = (...args) => original.apply(transport, args);
  transport.handleRequest = async (...args) => {
    const [request, second] = args;
    const kind = kindOf(request, second);
    // Somebody else's method that happens to have this name.
    if (kind === undefined) return handle(...args);
    const given = parsedBodyOf(kind, args);
    const isUnread = given === undefined && isOwnPost(request as NodeRequest | WebRequest, transport.sessionId);
    const body = isUnread ? await readBody(kind, request) : { value: given };
    if (body === 'too-long') return refuse(second, 413, TOO_LONG);
    if (body === 'broken-off') {
      // Over the web-standard transport somebody still waits for a response, which says what is wrong with the request.
      return kind === 'node' ? undefined : handle(...args);
    }
    const { value, bytes } = takable(body);
    const found = requestIdsIn(value);
    const seen = new Set<RequestId>();
    const duplicate = found.find((id) => ids.has(id) || seen.size === seen.add(id).size);
    if (duplicate !== undefined) return refuse(second, 400, duplicateIdAnswer(duplicate));
    ids.reserve(found);
    // Whoever serves over node's own transport gives no grace.
    const detach = kind === 'web' && isReturn(request as WebRequest) ? grace.attach() : undefined;
    try {
      if (kind === 'node') {
        if (bytes !== undefined) (request as NodeRequest).rawBody = bytes;
        const exchange = nodeExchange(second as NodeResponse, grace);
        const parsed = bytes === undefined ? value : undefined;
        return await runInExchange(transport, exchange, () => handle(request, second, parsed));
      }
      const exchange = webExchange(request as WebRequest, grace);
      const isParsed = value !== undefined && bytes === undefined;
      const options = isParsed ? { ...(second as object | undefined), parsedBody: value } : second;
      const unread = bytes === undefined ? request : withBody(request as WebRequest, bytes);
      const response = (await runInExchange(transport, exchange, () => handle(unread, options))) as Response;
      return detach === undefined
        ? exchange.begin(response)
        : untilEnd(response, detach, (request as WebRequest).signal);
    } finally {
      ids.release(found);
    }
  };
  return true;
}

/** An `initialize` whose capabilities SDK v1's transport would not take for one is handed on without what is wrong with them. */
function takable(body: Exclude<Body, string>): Exclude<Body, string> {
  const { value } = body;
  if (!isJsonObject(value) || value['method'] !== 'initialize') return body;
  const clean = withCleanCapabilities(value);
  return isSameJson(value, clean) ? body : { value: clean };
}

function kindOf(request: unknown, second: unknown): 'node' | 'web' | undefined {
  if (typeof request !== 'object' || request === null || !('headers' in request)) return undefined;
  if (isNodeResponse(second)) return 'iterator' in request ? 'node' : undefined;
  return 'signal' in request && 'body' in request ? 'web' : undefined;
}

// A transport without sessions takes any header. A request of another session is left to the transport, which refuses
// it without a word about this one.
function isOwnPost({ method, headers }: NodeRequest | WebRequest, sessionId: string | undefined): boolean {
  return method === 'POST' && (sessionId === undefined || headerOf(headers, 'mcp-session-id') === sessionId);
}

function headerOf(headers: NodeRequest['headers'] | Headers, name: string): unknown {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  return (headers as NodeRequest['headers'])[name];
}

/** Whether the client comes back to a stream that broke off (spec: basic/transports, resumability). */
function isReturn({ method, headers }: WebRequest): boolean {
  return method === 'GET' && headers.has('last-event-id');
}

function untilEnd(response: Response, onEnd: () => void, signal: AbortSignal): Response {
  if (!isEventStream(response)) onEnd();
  return withHooks(response, { onEnd, signal });
}

function parsedBodyOf(kind: 'node' | 'web', [, second, third]: readonly unknown[]): unknown {
  const parsed = kind === 'node' ? third : (second as { parsedBody?: unknown } | undefined)?.parsedBody;
  return parsed ?? undefined;
}

function readBody(kind: 'node' | 'web', request: unknown): Promise<Body> {
  return kind === 'node' ? readNodeBody(request as NodeRequest) : readWebBody(request as WebRequest);
}

function withBody({ url, method, headers, signal }: WebRequest, body: Uint8Array<ArrayBuffer>): Request {
  return new Request(url, { method, headers, signal, body });
}

const TOO_LONG = {
  jsonrpc: '2.0',
  error: { code: INVALID_REQUEST, message: 'The body of the request is too long' },
  id: null,
};

function refuse(response: NodeResponse | unknown, status: number, answer: object): unknown {
  const text = JSON.stringify(answer);
  const headers = { 'content-type': 'application/json' };
  if (!isNodeResponse(response)) return new Response(text, { status, headers });
  // What is left of a body that was not read to its end would be taken for the next request.
  return response.writeHead(status, status === 413 ? { ...headers, connection: 'close' } : headers).end(text);
}
