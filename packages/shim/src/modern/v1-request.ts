/** A modern request as SDK v1 is given it: without what is said of tasks, which are no part of the modern revision. */
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcRequest, RELATED_TASK_KEY, type RequestId } from '../core/json-rpc.ts';
import type { ModernRequest } from './modern-request.ts';

export function v1Request({ method, params }: ModernRequest, id: RequestId, meta: JsonObject): JsonRpcRequest {
  return { jsonrpc: '2.0', id, method, params: { ...withoutTask(params), _meta: meta } };
}

/** The `_meta` for one run of a handler: a fresh object, which nothing of the client's can stand in for. */
export function freshMeta({ params }: ModernRequest): JsonObject {
  const { [RELATED_TASK_KEY]: _task, ...meta } = (params['_meta'] ?? {}) as JsonObject;
  return meta;
}

function withoutTask(params: JsonObject): JsonObject {
  if (!('task' in params)) return params;
  const { task: _task, ...others } = params;
  return others;
}
