/** Hands a call to SDK v1, for the first time or again. */
import type { JsonObject } from '../core/json.ts';
import { dropRetryRecord, putRetryRecord, type RetryRecord } from '../core/retry-record.ts';
import type { Call } from './call.ts';
import type { Wire } from './session.ts';

/**
 * Delivers `call` to SDK v1 with `record` beside it. Each delivery has a `_meta` object of its own to hang the record
 * on, and none has the retry members: on a handshake connection they mean nothing, so no handler may see them.
 */
export function deliverCall(wire: Wire, call: Call, record: RetryRecord): void {
  const { request, extra } = call;
  const meta = { ...(request.params?.['_meta'] as JsonObject | undefined) };
  const params: JsonObject = { ...request.params, _meta: meta };
  if ('inputResponses' in params) delete params['inputResponses'];
  if ('requestState' in params) delete params['requestState'];
  call.meta = meta;
  putRetryRecord(meta, record);
  wire.deliver({ ...request, params }, extra);
}

/** Takes away what the run of `call` that has ended could read. */
export function forgetRun(call: Call): void {
  if (call.meta !== undefined) dropRetryRecord(call.meta);
  call.meta = undefined;
}
