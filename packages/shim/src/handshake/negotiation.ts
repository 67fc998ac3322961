/** Reads from the handshake of a connection what its client can answer, and in which words. */
import { declaredKinds } from '../core/capabilities.ts';
import { type JsonObject, ownMember } from '../core/json.ts';
import type { JsonRpcRequest } from '../core/json-rpc.ts';
import type { Session } from './session.ts';

/** Notes what the client declared in `request`, and the revision that SDK v1 settled on: a refused one changes nothing. */
export function noteHandshake(session: Session, request: JsonRpcRequest, result: JsonObject): void {
  const revision = ownMember(result, 'protocolVersion');
  session.kinds = declaredKinds(request.params?.['capabilities']);
  session.revision = typeof revision === 'string' ? revision : undefined;
}
