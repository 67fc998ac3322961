/** The face for `node:http`, Express and Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { asError, DualEraError } from '../core/errors.ts';
import { BODY_READ, bodyWasRead } from './body-read.ts';
import { errorBody, FAILED, type HttpError } from './json-response.ts';

type NodeRequest = IncomingMessage & { auth?: AuthInfo; body?: unknown };
export type NodeFace = (request: NodeRequest, response: ServerResponse, parsedBody?: unknown) => Promise<void>;
type Fetch = (request: Request, options?: { authInfo?: AuthInfo; parsedBody?: unknown }) => Promise<Response>;

/** Loads the adapter; a version that does not do may lack what is asked of it. */
type ImportAdapter = () => Promise<Partial<Pick<typeof import('@modelcontextprotocol/node'), 'toNodeHandler'>>>;

export interface NodeFaceOptions {
  readonly maxBodyBytes: number;
  readonly onError: (error: Error) => void;
  /** Hears of what only the operator can mend. */
  readonly onMisuse: (error: DualEraError) => void;
}

/**
 * `fetch` for requests of node's. The adapter is loaded with the first one: other runtimes need not have it. What it gives
 * never rejects: the promise that a listener of node's returns is awaited by nobody, and would end the process.
 */
export function nodeFace(
  fetch: Fetch,
  { maxBodyBytes, onError, onMisuse }: NodeFaceOptions,
  importAdapter: ImportAdapter = () => import('@modelcontextprotocol/node'),
): NodeFace {
  let loading: Promise<NodeFace> | undefined;
  const load = async (): Promise<NodeFace> => {
    const { toNodeHandler = unusable(new TypeError('it has no toNodeHandler')) } =
      await importAdapter().catch(unusable);
    return toNodeHandler({ fetch }, { maxRequestBodySize: maxBodyBytes, onerror: onError }) as NodeFace;
  };
  const serve: NodeFace = async (request, response, parsedBody) => {
    if (parsedBody === undefined && isRead(request)) throw bodyWasRead();
    loading ??= load();
    const handle = await loading.catch((error: unknown) => {
      // Not kept: a process that ran out of files for a moment has it with the next request.
      loading = undefined;
      throw error;
    });
    await handle(request, response, parsedBody);
  };
  return async (request, response, third) => {
    // Where this is Express's handler itself, its third argument is `next`.
    const parsedBody = typeof third === 'function' ? undefined : third;
    // The adapter makes a URL of it.
    if (!isHost(request.headers.host)) return refuse(response, WRONG_HOST);
    try {
      await serve(request, response, parsedBody);
    } catch (error) {
      const isMisuse = DualEraError.isInstance(error);
      if (isMisuse) onMisuse(error);
      else onError(asError(error));
      refuse(response, isMisuse && error.code === 'BODY_READ' ? BODY_READ : FAILED, parsedBody ?? request.body);
    }
  };
}

const WRONG_HOST = { status: 403, code: -32000, message: 'Invalid Host header' };

const NOT_INSTALLED =
  'handler.node needs the package @modelcontextprotocol/node, which is not installed: ' +
  'npm install @modelcontextprotocol/node. Without it, serve with handler.fetch.';
const VERSIONS = '@modelcontextprotocol/node@^2.1 @modelcontextprotocol/server@^2.4';

/** @throws DualEraError `MISSING_PEER`: it is not there, or in a version that does not do. */
function unusable(cause: unknown): never {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  const isItself = String(message).includes("'@modelcontextprotocol/node'");
  const unsuited = `handler.node cannot use the installed @modelcontextprotocol/node (${message}): npm install ${VERSIONS}.`;
  throw new DualEraError('MISSING_PEER', isMissing && isItself ? NOT_INSTALLED : unsuited, { cause });
}

/** Whether somebody has read the body. */
function isRead({ method, readableDidRead }: NodeRequest): boolean {
  return method === 'POST' && readableDidRead;
}

function isHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { username, password, pathname, search, hash } = new URL(`http://${host}`);
  return `${username}${password}${pathname}${search}${hash}` === '/';
}

function refuse(response: ServerResponse, error: HttpError, body?: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(error.status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(errorBody(error, body)));
}
