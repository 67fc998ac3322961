/** The JSON-RPC 2.0 messages of the protocol, and guards that agree with SDK v1's own. */
import { isJsonObject, type JsonObject } from './json.ts';

export type RequestId = string | number;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface JsonRpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result?: JsonObject;
  readonly error?: JsonRpcError;
}

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Spec 2026-07-28: basic/transports, headers that mirror the body. */
export const HEADER_MISMATCH = -32020;
/** Spec 2026-07-28: basic, error codes. */
export const MISSING_CAPABILITY = -32021;
/** Spec 2026-07-28: versioning. */
export const UNSUPPORTED_VERSION = -32022;
/** Spec 2025-11-25: client/elicitation, URL mode. */
export const URL_ELICITATION_REQUIRED = -32042;

/** Spec 2025-11-25: basic/utilities/tasks, a member of `_meta`. */
export const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task';

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/**
 * Tells whether SDK v1 would take `message` for a request and answer it. A message that only looks like one is
 * never answered by SDK v1, so it must not be counted as in flight.
 */
export function isRequest(message: unknown): message is JsonRpcRequest {
  if (!isJsonObject(message) || !isRequestId(message['id']) || !isCall(message)) return false;
  return hasOnly(message, 3);
}

/** Tells whether SDK v1 would take `message` for a notification. */
export function isNotification(message: unknown): message is JsonRpcNotification {
  return isJsonObject(message) && !('id' in message) && isCall(message) && hasOnly(message, 2);
}

/** Tells whether `message` is an answer, a result or an error, whatever the shape of what it carries. */
export function isAnswer(message: unknown): message is JsonRpcAnswer {
  if (!isJsonObject(message) || 'method' in message || !isRequestId(message['id'])) return false;
  return 'result' in message || 'error' in message;
}

function isCall(message: JsonObject): boolean {
  if (message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') return false;
  const params = message['params'];
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const meta = params['_meta'];
  return meta === undefined || isRequestMeta(meta);
}

/** Tells whether SDK v1 takes `meta` for the `_meta` of a request; one with another is never answered. */
export function isRequestMeta(meta: unknown): boolean {
  if (!isJsonObject(meta)) return false;
  const token = meta['progressToken'];
  if (token !== undefined && !isRequestId(token)) return false;
  const task = meta[RELATED_TASK_KEY];
  return task === undefined || (isJsonObject(task) && typeof task['taskId'] === 'string');
}

// SDK v1 parses messages with strict schemas: a member beyond the known ones makes it ignore the message. Those that
// must be there have been looked at, so that counting is enough.
function hasOnly(message: JsonObject, required: number): boolean {
  return Object.keys(message).length === ('params' in message ? required + 1 : required);
}

export function resultAnswer(id: RequestId, result: JsonObject): JsonRpcAnswer {
  return { jsonrpc: '2.0', id, result };
}

export function errorAnswer(id: RequestId, error: JsonRpcError): JsonRpcAnswer {
  return { jsonrpc: '2.0', id, error };
}
