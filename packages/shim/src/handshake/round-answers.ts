/** What came in in one round. */
import type { CheckedRequest } from '../core/check-ask.ts';
import type { EmbeddedAnswer } from '../core/embedded-request.ts';
import type { PoorAnswer } from '../core/repeated-ask.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import type { AnswerIssue } from '../core/standard-schema.ts';
import type { LegAnswer } from './leg-answer.ts';

type Asked = [request: CheckedRequest, poor: PoorAnswer | undefined];

/** Made when the first answer comes in: a call that is held for long is to take little memory. */
export class RoundAnswers {
  /** Well-formed answers by key, without a prototype; undefined where none came. */
  responses: Record<string, EmbeddedAnswer> | undefined;
  failed: Map<string, FailedAnswer> | undefined;
  invalid: Map<string, readonly AnswerIssue[]> | undefined;
  /** Each question with what became of it; undefined when its answer is usable. */
  readonly asked: Asked[] = [];

  add(request: CheckedRequest, { answer, failed, invalid, poor }: LegAnswer): void {
    const { key } = request;
    if (answer !== undefined) {
      this.responses ??= Object.create(null) as Record<string, EmbeddedAnswer>;
      this.responses[key] = answer;
    }
    if (failed !== undefined) this.failed = (this.failed ?? new Map()).set(key, failed);
    if (invalid !== undefined) this.invalid = (this.invalid ?? new Map()).set(key, invalid);
    this.asked.push([request, poor]);
  }

  questionUnder(key: string): CheckedRequest | undefined {
    return this.#find(key)?.[0];
  }

  /** Notes that the answer under `key` failed a schema that the handler read it with. */
  noteUnusable(key: string): void {
    const asked = this.#find(key);
    if (asked !== undefined) asked[1] ??= 'unusable';
  }

  #find(key: string): Asked | undefined {
    return this.asked.find(([request]) => request.key === key);
  }
}
