/** What a client's answer to one leg means for the round: pure, so that it can be told apart from the traffic. */
import { readAnswer } from '../core/answer.ts';
import type { CheckedRequest } from '../core/check-ask.ts';
import { contentIssues, withDefaults } from '../core/check-content.ts';
import type { ElicitResult, EmbeddedAnswer, EmbeddedMethod, FormSchema } from '../core/embedded-request.ts';
import type { LegOutcome } from '../core/events.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { JsonRpcAnswer } from '../core/json-rpc.ts';
import type { PoorAnswer } from '../core/repeated-ask.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import type { AnswerIssue } from '../core/standard-schema.ts';

export interface LegAnswer {
  readonly outcome: LegOutcome;
  /** The answer for the handler; undefined when there is none it could read. */
  readonly answer?: EmbeddedAnswer;
  readonly failed?: FailedAnswer;
  /** What is wrong with accepted content. */
  readonly invalid?: readonly AnswerIssue[];
  /** Undefined when the answer is usable. */
  readonly poor?: PoorAnswer;
}

/** Reads the client's answer to `request`. An answer that is both an error and a result is an error. */
export function readLegAnswer(request: CheckedRequest, message: JsonRpcAnswer): LegAnswer {
  if ('error' in message) {
    const code = isJsonObject(message.error) ? message.error['code'] : undefined;
    const known = Number.isSafeInteger(code) ? { code: code as number } : {};
    return { outcome: 'client-error', failed: { reason: 'client-error', ...known }, poor: 'failed' };
  }
  const answer = readAnswer(request.method, message.result);
  if (answer === undefined) return { outcome: 'malformed', failed: { reason: 'malformed' }, poor: 'malformed' };
  // By what was asked: an answer may carry any further members, also those that another kind is known by.
  if (request.method === 'elicitation/create') return readElicited(request, answer as ElicitResult);
  return { outcome: 'answered', answer: withoutOtherKinds(request.method, answer) };
}

function withoutOtherKinds(method: EmbeddedMethod, answer: EmbeddedAnswer): EmbeddedAnswer {
  if (!('action' in answer) && !(method === 'sampling/createMessage' && 'roots' in answer)) return answer;
  const { action: _action, ...own } = answer as unknown as JsonObject;
  if (method === 'sampling/createMessage') delete own['roots'];
  return own as unknown as EmbeddedAnswer;
}

function readElicited(request: CheckedRequest, answer: ElicitResult): LegAnswer {
  if (answer.action === 'decline') return { outcome: 'declined', answer, poor: 'declined' };
  if (answer.action === 'cancel') return { outcome: 'cancelled', answer, poor: 'cancelled' };
  // No form was asked, so no content belongs to it.
  if (request.kind === 'url') return { outcome: 'accepted', answer: { action: 'accept' } };
  if (answer.content === undefined) return { outcome: 'accepted', answer, poor: 'unusable' };
  const schema = request.params['requestedSchema'] as FormSchema;
  const content = withDefaults(answer.content, schema) as NonNullable<ElicitResult['content']>;
  const filled = content === answer.content ? answer : { ...answer, content };
  const issues = contentIssues(content, schema);
  if (issues.length === 0) return { outcome: 'accepted', answer: filled };
  return { outcome: 'accepted', answer: filled, invalid: issues, poor: 'unusable' };
}
