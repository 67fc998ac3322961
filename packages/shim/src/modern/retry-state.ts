/** Opens the state that came with a modern request, or refuses the request. */
import { INVALID_PARAMS } from '../core/json-rpc.ts';
import type { StateCall, StateRefusalCause } from '../core/request-state.ts';
import { RequestStateError } from '../state/request-state-error.ts';
import type { ModernLeg } from './leg.ts';
import { aboutOf } from './mistake.ts';
import type { ModernRequest } from './modern-request.ts';
import { openRecord, type SealedRecord } from './sealed-record.ts';
import { WireError } from './wire-error.ts';

/** What a state is sealed for. */
export function stateCallOf({ method, params, authInfo, requestInfo }: ModernRequest): StateCall {
  return { method, params, authInfo, requestInfo };
}

/** @throws WireError for a state that was not sealed for this call: always the same one, while an event tells the cause. */
export async function requireState(leg: ModernLeg, request: ModernRequest): Promise<SealedRecord> {
  const { signal } = request;
  const opened = await openRecord({ ...leg.settings, ports: leg.ports }, request.retry.requestState, {
    call: stateCallOf(request),
    signal,
  });
  if ('record' in opened) return opened.record;
  signal.throwIfAborted();
  const { cause } = opened;
  leg.emitter.emit({ type: 'state-refused', cause, message: MEANINGS[cause], ...aboutOf(request) });
  const refusal = new RequestStateError(cause);
  throw new WireError(INVALID_PARAMS, refusal.message, refusal.data);
}

const MEANINGS: Readonly<Record<StateRefusalCause, string>> = {
  malformed: 'the client sent a requestState that this package did not seal for an ask',
  'unknown-key': 'the requestState was sealed with a key that is not among requestState.keys (any more)',
  'other-ephemeral-key':
    'the requestState was sealed with the ephemeral key of another process: give requestState.keys, the same to all of them',
  'bad-seal': 'the requestState was altered on its way',
  expired: 'the requestState is older than requestState.ttlSeconds',
  'not-yet-valid': 'the requestState was sealed in the future: the clocks of the servers differ',
  'wrong-binding': 'the requestState belongs to another caller, another call, or other arguments',
  used: 'the requestState has been used before',
  'store-failed': 'the store of requestState.singleUse failed, so that nobody knows whether the requestState was used',
  'codec-refused': 'the codec given as requestState refused it, or did not answer',
};
