/** A state that is not accepted: the same error for every cause, so that a client cannot tell how near it came. */
import type { StateRefusalCause } from '../core/request-state.ts';

const DATA = Object.freeze({ reason: 'invalid_request_state' });

/** JSON-RPC error -32602 with a fixed message and fixed data. `cause` says why; SDK v1 does not send it. */
export class RequestStateError extends Error {
  override readonly name: string = 'RequestStateError';
  readonly code: number = -32602;
  readonly data: Readonly<{ reason: string }> = DATA;
  declare readonly cause: StateRefusalCause;

  constructor(cause: StateRefusalCause) {
    super('Invalid or expired requestState', { cause });
  }
}
