/** Hands a call to SDK v1, for the first time or again. */
import { putRetryRecord, type RetryRecord } from '../core/retry-record.ts';
import type { Call } from './call.ts';
import type { Wire } from './session.ts';

/**
 * Delivers `call` to SDK v1 with `record` beside it. Each delivery has a `_meta` object of its own to hang the record
 * on, and none has the retry members: on a handshake connection they mean nothing, so no handler may see them.
 */
export function deliverCall(wire: Wire, { request, extra }: Call, record: RetryRecord): void {
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
