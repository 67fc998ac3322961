/** A confirmation that only an explicit yes to the very text shown can give. */
import { readElicitResult } from './answer.ts';
import type { ElicitFormParams } from './embedded-request.ts';
import { askOf, type InputRequired } from './input-required.ts';
import { describeValue, ownMember } from './json.ts';
import type { RetryRecord } from './retry-record.ts';

export interface ConfirmInput {
  /** What is to be confirmed, as the person reads it. Another text is another question. */
  readonly message: string;
  /** What the person sees beside the box to tick. @defaultValue 'Yes' */
  readonly title?: string | undefined;
}

/** Either the ask to return, or what it came to. */
export type Confirmed =
  | { readonly ask: InputRequired; readonly decision?: undefined }
  | { readonly decision: 'yes' | 'no'; readonly ask?: undefined };

const TICKED = 'confirmed';

/** The confirmation under `key` in the run that `record` is beside. */
export function confirm(record: RetryRecord, key: string, { message, title = 'Yes' }: ConfirmInput): Confirmed {
  if (typeof message !== 'string' || typeof title !== 'string') {
    throw new TypeError(`confirm needs a message to show, got ${describeValue(message)} and ${describeValue(title)}`);
  }
  // No default: an empty form is not a yes.
  const params: ElicitFormParams = {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [TICKED]: { type: 'boolean', title } }, required: [TICKED] },
  };
  const { confirmations, responses, failed } = record;
  const earlier = confirmations?.decided(key, params);
  if (earlier !== undefined) return { decision: earlier };
  const answer = responses === undefined ? undefined : ownMember(responses, key);
  const isAnswered = answer !== undefined || failed?.has(key) === true;
  if (confirmations === undefined || !isAnswered || !confirmations.wasAsked(key, params)) {
    confirmations?.willAsk?.(key, params);
    return { ask: askOf({ inputRequests: { [key]: { method: 'elicitation/create', params } } }) };
  }
  const decision = isYes(answer) && record.invalid?.has(key) !== true ? 'yes' : 'no';
  confirmations.decide(key, params, decision);
  return { decision };
}

function isYes(answer: unknown): boolean {
  const result = readElicitResult(answer);
  return result?.action === 'accept' && result.content !== undefined && ownMember(result.content, TICKED) === true;
}
