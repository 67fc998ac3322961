/** A state that is not accepted: the same error for every cause, so that a client cannot tell how near it came. */

/** Why a state was refused; for the operator's events, never for the client. */
export type StateRefusalCause =
  | 'malformed'
  | 'unknown-key'
  | 'other-ephemeral-key'
  | 'bad-seal'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-binding'
  | 'used'
  | 'store-failed';

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
