/** What a request in mid-body meets where the call it is sent for has ended. */
import { DualEraError } from '../core/errors.ts';
import type { RequestId } from '../core/json-rpc.ts';

export function callEnded(method: string, id: RequestId): DualEraError {
  return new DualEraError(
    'CALL_ENDED',
    `${method} was sent for the request ${JSON.stringify(id)}, which is already answered or cancelled. ` +
      'Ask before the handler returns, and await the answer.',
  );
}
