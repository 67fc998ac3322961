/** The face for `node:http`, Express and Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { DualEraError } from '../core/errors.ts';

type NodeRequest = IncomingMessage & { auth?: AuthInfo };
export type NodeFace = (request: NodeRequest, response: ServerResponse, parsedBody?: unknown) => Promise<void>;
type Fetch = (request: Request, options?: { authInfo?: AuthInfo; parsedBody?: unknown }) => Promise<Response>;

export interface NodeFaceOptions {
  readonly maxBodyBytes: number;
  readonly onError: (error: Error) => void;
}

/** `fetch` for requests of node's. The adapter is loaded with the first one: other runtimes need not have it. */
export function nodeFace(fetch: Fetch, { maxBodyBytes, onError }: NodeFaceOptions): NodeFace {
  let loading: Promise<NodeFace> | undefined;
  const load = async (): Promise<NodeFace> => {
    const { toNodeHandler } = await import('@modelcontextprotocol/node').catch(missing);
    return toNodeHandler({ fetch }, { maxRequestBodySize: maxBodyBytes, onerror: onError }) as NodeFace;
  };
  return async (request, response, parsedBody) => {
    // The adapter makes a URL of it.
    if (!isHost(request.headers.host)) return refuse(response);
    loading ??= load();
    const handle = await loading;
    await handle(request, response, parsedBody);
  };
}

function missing(cause: unknown): never {
  const message = 'handler.node needs the package @modelcontextprotocol/node. Install it, or serve with handler.fetch.';
  throw new DualEraError('MISSING_PEER', message, { cause });
}

function isHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { username, password, pathname, search, hash } = new URL(`http://${host}`);
  return `${username}${password}${pathname}${search}${hash}` === '/';
}

function refuse(response: ServerResponse): void {
  const error = { code: -32000, message: 'Invalid Host header' };
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}
