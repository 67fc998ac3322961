/** What the scripted person, model or client says to a question: plain values, made by small functions. */
import type { ElicitResult, Root, SamplingResult } from '../core/embedded-request.ts';
import { integer, LONGEST_DELAY, object, wrongType } from '../core/option-checks.ts';
import { requireAnswer, requireJson } from './require-answer.ts';

/** The content of an accepted form. */
export type AcceptedContent = NonNullable<ElicitResult['content']>;

/** One answer of a script. Make it with `accept`, `decline`, `cancel`, `sample`, `roots`, `fail`, `raw`, `later`, ... */
export type Answer =
  | { readonly said: 'accept'; readonly content?: AcceptedContent }
  | { readonly said: 'decline' }
  | { readonly said: 'cancel' }
  | { readonly said: 'sample'; readonly result: SamplingResult }
  | { readonly said: 'roots'; readonly roots: readonly Root[] }
  | { readonly said: 'fail'; readonly code: number; readonly message: string }
  | { readonly said: 'raw'; readonly result: unknown }
  | { readonly said: 'later'; readonly ms: number; readonly answer: Answer }
  | { readonly said: 'never' }
  | { readonly said: 'disconnect' };

/** The person accepts: a form with its content, a page (`mode: 'url'`) with none. */
export function accept(content?: AcceptedContent): Answer {
  if (content === undefined) return { said: 'accept' };
  object('content', content);
  requireJson('content', content);
  return { said: 'accept', content };
}

/** The person says no to a form or a page. */
export function decline(): Answer {
  return { said: 'decline' };
}

/** The person dismisses a form or a page. */
export function cancel(): Answer {
  return { said: 'cancel' };
}

/** The model answers: with a result, or with a text of the assistant's. */
export function sample(result: SamplingResult | string): Answer {
  if (typeof result === 'string') {
    return {
      said: 'sample',
      result: { role: 'assistant', model: 'scripted', content: { type: 'text', text: result } },
    };
  }
  object('result', result);
  requireJson('result', result);
  return { said: 'sample', result };
}

/** The client tells its roots, as URIs or whole. */
export function roots(list: readonly (Root | string)[]): Answer {
  if (!Array.isArray(list)) throw wrongType('roots', 'a list of roots or of their URIs', list);
  return { said: 'roots', roots: list.map((root) => (typeof root === 'string' ? { uri: root } : root)) };
}

/** The client answers with an error. On 2026-07-28, which has no such answer, it gives the call up. */
export function fail(code: number, message: string): Answer {
  if (!Number.isInteger(code)) throw wrongType('code', 'the code of a JSON-RPC error, an integer', code);
  if (typeof message !== 'string') throw wrongType('message', 'a string', message);
  return { said: 'fail', code, message };
}

/** The client answers with exactly this, whatever the question was: for answers that are malformed. */
export function raw(result: unknown): Answer {
  requireJson('result', result);
  return { said: 'raw', result };
}

/** `answer`, after `ms` milliseconds of the hand-driven clock: 1 to 2 147 483 647. */
export function later(ms: number, answer: Answer): Answer {
  integer('ms', ms, LONGEST_DELAY);
  return { said: 'later', ms, answer: requireAnswer('answer', answer) };
}

/** Nobody answers. The clock moves on until the round is over. */
export function never(): Answer {
  return { said: 'never' };
}

/** The client goes away instead of answering. */
export function disconnect(): Answer {
  return { said: 'disconnect' };
}

/** An answer without its delays, and how long they are together. */
export interface DueAnswer {
  readonly answer: Exclude<Answer, { said: 'later' }>;
  readonly after: number;
}

export function dueAnswer(answer: Answer, after = 0): DueAnswer {
  return answer.said === 'later' ? dueAnswer(answer.answer, after + answer.ms) : { answer, after };
}
