/** What a state is bound to, so that it resumes the call it was made for and no other. */
import type { JsonObject } from '../core/json.ts';
import { isAskingMethod, targetOf } from '../core/outcome.ts';
import { defaultSubject, principalOf, type SubjectOf } from '../core/principal.ts';
import type { StateCall } from '../core/request-state.ts';
import { digestOf } from './digest.ts';

const RETRY_MEMBERS = ['_meta', 'inputResponses', 'requestState', 'task'];

/**
 * The caller (client id and subject, or one fixed value where there is none), the method, its target, and a digest of
 * every parameter but `_meta`, `inputResponses`, `requestState` and `task`, in canonical JSON (RFC 8785). Absent
 * `arguments` count as empty.
 *
 * @throws RangeError when the parameters are nested deeper than 512 levels; TypeError when they are no JSON, or when
 * `subject` returns neither text nor undefined. What `subject` throws is passed on.
 */
export function defaultBinding(call: StateCall, subject: SubjectOf = defaultSubject): string {
  const { method, params = {}, authInfo } = call;
  const bound: JsonObject = { ...params, arguments: params['arguments'] ?? {} };
  for (const member of RETRY_MEMBERS) delete bound[member];
  const target = isAskingMethod(method) ? targetOf(method, params) : '';
  return JSON.stringify([principalOf(authInfo, subject), method, target, digestOf(bound)]);
}
