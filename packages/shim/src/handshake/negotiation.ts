/** Reads from the handshake of a connection what its client can answer, and in which words. */
import { cleanCapabilities, declaredKinds } from '../core/capabilities.ts';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { JsonRpcRequest } from '../core/json-rpc.ts';
import type { Session } from './session.ts';

/** Notes what the client declares in `request`, and returns it as SDK v1 takes it. */
export function readInitialize(session: Session, request: JsonRpcRequest): JsonRpcRequest {
  const { params } = request;
  if (params === undefined || !Object.hasOwn(params, 'capabilities')) return request;
  const { capabilities } = params;
  session.kinds = declaredKinds(capabilities);
  return { ...request, params: { ...params, capabilities: cleanCapabilities(capabilities) } };
}

/** Notes the revision that SDK v1 settled on. */
export function readInitialized(session: Session, result: JsonObject | undefined): void {
  const revision = isJsonObject(result) ? ownMember(result, 'protocolVersion') : undefined;
  session.revision = typeof revision === 'string' ? revision : undefined;
}
