/** Hands a call to SDK v1, for the first time or again, with what its handler may read beside it. */
import { copyJson } from '../core/json.ts';
import { putRetryRecord, type RetryRecord } from '../core/retry-record.ts';
import type { AskingCall, Call } from './call.ts';
import { RunConfirmations } from './confirmations.ts';
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
    once: call.once,
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
    once: call.once,
    elicitationIds,
    noteUnusable: (key) => answers?.noteUnusable(key),
  });
}

/**
 * Each delivery has params of its own, since SDK v1 hands out what is nested in them: what a handler does to its arguments
 * must not reach its next run, where a person has said yes to what they were. So the `_meta` object is its own too, to hang
 * the record on. No delivery has the retry members: on a handshake connection they mean nothing, so no handler may see them.
 */
function deliver(wire: Wire, { request, extra }: Call, record: RetryRecord): void {
  const { id, method } = request;
  const params = copyJson(request.params ?? {});
  params['_meta'] ??= {};
  putRetryRecord(params['_meta'] as object, record);
  if ('inputResponses' in params) delete params['inputResponses'];
  if ('requestState' in params) delete params['requestState'];
  wire.deliver({ jsonrpc: '2.0', id, method, params }, extra);
}
