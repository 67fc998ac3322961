/** What a server said beside the status that a transport throws an answer for. */
import { isJsonObject } from './json.ts';
import type { JsonRpcError } from './json-rpc.ts';

/** The JSON-RPC error that `body`, the text of an HTTP answer, has; undefined where it has none. */
export function errorInBody(body: unknown): JsonRpcError | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const answer: unknown = JSON.parse(body);
    const error = isJsonObject(answer) ? answer['error'] : undefined;
    const isError = isJsonObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
    return isError ? (error as unknown as JsonRpcError) : undefined;
  } catch {
    return undefined;
  }
}
