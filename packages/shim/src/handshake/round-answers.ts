/** What came in in one round. */
import type { CheckedRequest } from '../core/check-ask.ts';
import type { EmbeddedAnswer } from '../core/embedded-request.ts';
import type { PoorAnswer } from '../core/repeated-ask.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import type { AnswerIssue } from '../core/standard-schema.ts';

export interface RoundAnswers {
  /** Well-formed answers by key, without a prototype. */
  readonly responses: Record<string, EmbeddedAnswer>;
  readonly failed: Map<string, FailedAnswer>;
  readonly invalid: Map<string, readonly AnswerIssue[]>;
  /** Each question with what became of it; undefined when its answer is usable. */
  readonly poor: Map<CheckedRequest, PoorAnswer | undefined>;
}
