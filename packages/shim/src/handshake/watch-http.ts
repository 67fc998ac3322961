/** Wraps the public `handleRequest` of SDK v1's Streamable HTTP transports. */
import type { RequestId } from '../core/json-rpc.ts';
import { duplicateIdAnswer, requestIdsIn } from './duplicate-id.ts';
import { type NodeRequest, readNodeBody, readWebBody, type WebRequest } from './http-body.ts';
import { isNodeResponse, type NodeResponse, nodeExchange, runInExchange, webExchange } from './http-exchange.ts';
import type { IdsInUse } from './ids-in-use.ts';

type HandleRequest = (...args: unknown[]) => Promise<unknown>;

/** An SDK v1 transport that is driven by its public `handleRequest`. */
interface HttpTransport {
  readonly sessionId?: string | undefined;
  handleRequest?: HandleRequest;
}

/**
 * Wraps the public `handleRequest` of `transport`, the node or the web-standard one. False when it has none.
 * A request with an id that is in use is refused here (HTTP 400), before the transport mixes up their streams.
 */
export function watchHttp(transport: HttpTransport, ids: IdsInUse): boolean {
  const original = transport.handleRequest;
  if (typeof original !== 'function') return false;
  const handle: HandleRequest = (...args) => original.apply(transport, args);
  transport.handleRequest = async (request, second, third) => {
    const isOwn = isOwnPost(request as NodeRequest | WebRequest, transport.sessionId);
    const body = isOwn ? await bodyOf(request, second, third) : undefined;
    const found = requestIdsIn(body);
    const seen = new Set<RequestId>();
    const duplicate = found.find((id) => ids.has(id) || seen.size === seen.add(id).size);
    if (duplicate !== undefined) return refuse(second, duplicate);
    ids.reserve(found, found);
    try {
      if (!isNodeResponse(second)) return await handleWeb(handle, request as WebRequest, second);
      return await runInExchange(nodeExchange(second), () => handle(request, second, third ?? body));
    } finally {
      ids.release(found, found);
    }
  };
  return true;
}

// A request of another session is left to the transport, which refuses it without a word about this one.
function isOwnPost({ method, headers }: NodeRequest | WebRequest, sessionId: string | undefined): boolean {
  const isWeb = typeof headers.get === 'function';
  const named = isWeb
    ? (headers.get('mcp-session-id') ?? undefined)
    : (headers as NodeRequest['headers'])['mcp-session-id'];
  return method === 'POST' && named === sessionId;
}

function bodyOf(request: unknown, second: unknown, third: unknown): unknown {
  if (isNodeResponse(second)) return third ?? readNodeBody(request as NodeRequest);
  return (second as { parsedBody?: unknown } | undefined)?.parsedBody ?? readWebBody(request as WebRequest);
}

async function handleWeb(handle: HandleRequest, request: WebRequest, options: unknown): Promise<Response> {
  const exchange = webExchange(request);
  const response = await runInExchange(exchange, () => handle(request, options));
  return exchange.begin(response as Response);
}

const JSON_HEADERS = { 'content-type': 'application/json' };

function refuse(response: NodeResponse | unknown, duplicate: RequestId): unknown {
  const text = JSON.stringify(duplicateIdAnswer(duplicate));
  if (!isNodeResponse(response)) return new Response(text, { status: 400, headers: JSON_HEADERS });
  return response.writeHead(400, JSON_HEADERS).end(text);
}
