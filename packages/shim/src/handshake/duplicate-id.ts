/** A request whose id is in use already: it is refused, and the first call goes on (spec: basic, request ids). */
import { errorAnswer, INVALID_REQUEST, isRequest, type JsonRpcAnswer, type RequestId } from '../core/json-rpc.ts';

export function duplicateIdAnswer(id: RequestId): JsonRpcAnswer {
  const message = `The request id ${JSON.stringify(id)} is already in flight on this connection`;
  return errorAnswer(id, { code: INVALID_REQUEST, message });
}

/** The ids of the requests in an HTTP body, a message or a batch of them. */
export function requestIdsIn(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(isRequest).map(({ id }) => id);
}
