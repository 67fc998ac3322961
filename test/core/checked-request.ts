import { type CheckedRequest, checkAsk } from '../../packages/shim/src/core/check-ask.ts';
import type { Json } from '../support/json.ts';

/** The one question of an ask, checked as the middleware does it. */
export function checked(method: string, params: unknown): CheckedRequest {
  const ask = checkAsk({ inputRequests: { q: { method, params } } }, 1_000);
  if ('mistake' in ask) throw new Error(ask.mistake);
  return ask.requests[0] as CheckedRequest;
}

export const elicit = (params: Json): CheckedRequest => checked('elicitation/create', { message: 'Name?', ...params });
export const sample = (params: Json): CheckedRequest => checked('sampling/createMessage', { maxTokens: 5, ...params });
