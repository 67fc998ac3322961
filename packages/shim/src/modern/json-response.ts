/** HTTP responses of the serving entry's own: JSON-RPC errors with the id of the request, where it can be read. */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { isRequestId, type RequestId } from '../core/json-rpc.ts';

export interface HttpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** What a client is told of a fault of the server: nothing. */
export const FAILED: HttpError = { status: 500, code: -32603, message: 'Internal server error' };

export function errorResponse(error: HttpError, body?: unknown): Response {
  const { status } = error;
  const headers: Record<string, string> = status === 405 ? { allow: 'GET, POST, DELETE' } : {};
  return Response.json(errorBody(error, body), { status, headers });
}

/** The JSON-RPC error with the id of the request in `body`. */
export function errorBody({ code, message }: HttpError, body: unknown): JsonObject {
  return { jsonrpc: '2.0', id: idOf(body), error: { code, message } };
}

/** `response` with the id of the request in `body`, where it is an error that names none. */
export async function withRequestId(response: Response, body: unknown): Promise<Response> {
  const id = idOf(body);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.status < 400 || id === null || !isJson) return response;
  const answer: unknown = await response.json();
  const { status, headers } = response;
  const named = isJsonObject(answer) && answer['id'] === null ? { ...answer, id } : answer;
  return new Response(JSON.stringify(named), { status, headers });
}

/** The id of the request in `body`; null for what is no single request. */
function idOf(body: unknown): RequestId | null {
  const isRequest = isJsonObject(body) && typeof body['method'] === 'string';
  return isRequest && isRequestId(body['id']) ? body['id'] : null;
}
