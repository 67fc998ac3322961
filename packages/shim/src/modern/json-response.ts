/** HTTP responses of the serving entry's own: JSON-RPC errors with the id of the request, where it can be read. */
import { isJsonObject } from '../core/json.ts';
import { isRequestId, type RequestId } from '../core/json-rpc.ts';

export interface HttpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export function errorResponse({ status, code, message }: HttpError, body?: unknown): Response {
  return Response.json({ jsonrpc: '2.0', id: idOf(body), error: { code, message } }, { status });
}

/** The id of the request in `body`; null for what is no single request. */
function idOf(body: unknown): RequestId | null {
  const isRequest = isJsonObject(body) && typeof body['method'] === 'string';
  return isRequest && isRequestId(body['id']) ? body['id'] : null;
}
