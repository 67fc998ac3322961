/** A request whose id is in flight already: it is refused, and the first call goes on (spec: basic, request ids). */
import { errorAnswer, INVALID_REQUEST, isRequest, type JsonRpcAnswer, type RequestId } from '../core/json-rpc.ts';

export type IsInFlight = (id: RequestId) => boolean;

export function duplicateIdAnswer(id: RequestId): JsonRpcAnswer {
  const message = `The request id ${JSON.stringify(id)} is already in flight on this connection`;
  return errorAnswer(id, { code: INVALID_REQUEST, message });
}

/**
 * The refusal of the HTTP body `body`, a message or a batch of them; undefined when no id in it is in flight, or there
 * twice.
 */
export function refuseDuplicates(body: unknown, isInFlight: IsInFlight): JsonRpcAnswer | undefined {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const ids = new Set<RequestId>();
  for (const message of messages) {
    if (!isRequest(message)) continue;
    if (ids.has(message.id) || isInFlight(message.id)) return duplicateIdAnswer(message.id);
    ids.add(message.id);
  }
  return undefined;
}
