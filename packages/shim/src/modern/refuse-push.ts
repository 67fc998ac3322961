/** What a handler meets, and its client hears, when it asks in mid-body while a modern client is served. */
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import { isAskingMethod, targetOf } from '../core/outcome.ts';
import type { ModernLeg } from './leg.ts';
import type { ModernRequest } from './modern-request.ts';
import { WireError } from './wire-error.ts';

const CURE =
  'Revision 2026-07-28 has no requests from the server to the client: return inputRequired({ inputRequests }) from the ' +
  'handler instead. See docs/serving.md, "Handlers that ask in mid-body"';

/** Reports the push call `method` of the run of `request`, and gives the error that ends it. */
export function refusePush({ emitter }: ModernLeg, method: string, request: ModernRequest | undefined): WireError {
  const target =
    request !== undefined && isAskingMethod(request.method) ? targetOf(request.method, request.params) : '';
  const message = `the handler called ${method}, which a modern client cannot answer. ${CURE}`;
  emitter.emit({ type: 'error', message, method: request?.method ?? method, target });
  return new WireError(INTERNAL_ERROR, `${method} cannot be sent while a modern client is served. ${CURE}.`);
}
