/** Wraps the public `handleRequest` of SDK v1's Streamable HTTP transports. */
import { type IsInFlight, refuseDuplicates } from './duplicate-id.ts';
import { type NodeRequest, readNodeBody, readWebBody, type WebRequest } from './http-body.ts';
import { isNodeResponse, type NodeResponse, nodeExchange, runInExchange, webExchange } from './http-exchange.ts';

type HandleRequest = (...args: unknown[]) => Promise<unknown>;

/** An SDK v1 transport that is driven by its public `handleRequest`. */
interface HttpTransport {
  readonly sessionId?: string | undefined;
  handleRequest?: HandleRequest;
}

/**
 * Wraps the public `handleRequest` of `transport`, the node or the web-standard one. False when it has none.
 * A request with an id that is in flight is refused here (HTTP 400), before the transport mixes up their streams.
 */
export function watchHttp(transport: HttpTransport, isInFlight: IsInFlight): boolean {
  const original = transport.handleRequest;
  if (typeof original !== 'function') return false;
  const handle: HandleRequest = (...args) => original.apply(transport, args);
  transport.handleRequest = (...args) => {
    const [request, second] = args;
    return isNodeResponse(second)
      ? handleNode([request as NodeRequest, second, args[2]], transport, { isInFlight, handle })
      : handleWeb([request as WebRequest, second as WebOptions | undefined], transport, { isInFlight, handle });
  };
  return true;
}

interface WebOptions {
  readonly parsedBody?: unknown;
}

interface Handling {
  readonly isInFlight: IsInFlight;
  readonly handle: HandleRequest;
}

async function handleNode(
  [request, response, given]: [NodeRequest, NodeResponse, unknown],
  transport: HttpTransport,
  { isInFlight, handle }: Handling,
): Promise<unknown> {
  let body = given;
  if (mayDuplicate(request.method, request.headers['mcp-session-id'], transport)) {
    body ??= await readNodeBody(request);
    const refusal = refuseDuplicates(body, isInFlight);
    if (refusal !== undefined) return response.writeHead(400, JSON_HEADERS).end(JSON.stringify(refusal));
  }
  return runInExchange(nodeExchange(response), () => handle(request, response, body));
}

async function handleWeb(
  [request, options]: [WebRequest, WebOptions | undefined],
  transport: HttpTransport,
  { isInFlight, handle }: Handling,
): Promise<unknown> {
  if (mayDuplicate(request.method, request.headers.get('mcp-session-id'), transport)) {
    const body = options?.parsedBody ?? (await readWebBody(request));
    const refusal = refuseDuplicates(body, isInFlight);
    if (refusal !== undefined) return new Response(JSON.stringify(refusal), { status: 400, headers: JSON_HEADERS });
  }
  const exchange = webExchange(request);
  return runInExchange(exchange, async () => {
    const response = (await handle(request, options)) as Response;
    return exchange.begin(response);
  });
}

const JSON_HEADERS = { 'content-type': 'application/json' };

// A request of another session is left to the transport, which refuses it without a word about this one.
function mayDuplicate(method: string | undefined, sessionId: unknown, transport: HttpTransport): boolean {
  return method === 'POST' && sessionId === transport.sessionId;
}
