/** Hands a call to SDK v1, for the first time or again, with what its handler may read beside it. */
import { putRetryRecord, type RetryRecord } from '../core/retry-record.ts';
import type { AskingCall, Call } from './call.ts';
import { RunConfirmations } from './confirmations.ts';
import { CallOnce } from './once-results.ts';
import type { Session, Wire } from './session.ts';
import { mintState } from './state.ts';

export function deliverFirst(session: Session, call: Call): void {
  deliver(session.wire, call, {
    round: 0,
    responses: undefined,
    failed: undefined,
    invalid: undefined,
    state: undefined,
    canAsk: session.canAsk,
    mint: (payload) => mintState(session, call, payload),
    confirmations: undefined,
    once: new CallOnce(call),
    elicitationIds: undefined,
    noteUnusable: undefined,
  });
}

/** Delivers `call` with the answers of its last round, and the state of its last ask. */
export function deliverAgain(session: Session, call: AskingCall): void {
  const { round, answers, state, elicitationIds } = call.asking;
  deliver(session.wire, call, {
    round,
    responses: answers?.responses,
    failed: answers?.failed,
    invalid: answers?.invalid,
    state,
    canAsk: session.canAsk,
    mint: (payload) => mintState(session, call, payload),
    confirmations: new RunConfirmations(call.asking),
    once: new CallOnce(call),
    elicitationIds,
    noteUnusable: (key) => answers?.noteUnusable(key),
  });
}

/**
 * Each delivery has a `_meta` object of its own to hang the record on, and none has the retry members: on a handshake
 * connection they mean nothing, so no handler may see them.
 */
function deliver(wire: Wire, { request, extra }: Call, record: RetryRecord): void {
  const { id, method, params: given } = request;
  const meta = { ...(given?.['_meta'] as object | undefined) };
  putRetryRecord(meta, record);
  // Member first, copy second, member again: a member added after a copy takes ten times as long as all of this.
  const params = { _meta: meta, ...given };
  params._meta = meta;
  if ('inputResponses' in params) delete params['inputResponses'];
  if ('requestState' in params) delete params['requestState'];
  wire.deliver({ jsonrpc: '2.0', id, method, params }, extra);
}
