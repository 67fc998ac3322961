/** An answer as it goes over the wire. */
import type { AskKind } from '../core/embedded-request.ts';
import { definedMembers } from '../core/json.ts';
import type { Answer } from './answers.ts';
import { describeQuestion } from './question.ts';
import type { AnswerStep, Question } from './transcript.ts';

/** What a client sends for an answer; `gone`: it sends nothing. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly gone: 'never' | 'disconnect' };

const KINDS: Readonly<Record<'accept' | 'decline' | 'cancel' | 'sample' | 'roots', readonly AskKind[]>> = {
  accept: ['form', 'url'],
  decline: ['form', 'url'],
  cancel: ['form', 'url'],
  sample: ['sampling', 'sampling.tools'],
  roots: ['roots'],
};

type Plain = Exclude<Answer, { said: 'later' }>;

/** @throws TypeError when `answer` is for a question of another kind. */
export function replyOf(answer: Plain, question: Question): Reply {
  const { said } = answer;
  if (said === 'never' || said === 'disconnect') return { gone: said };
  if (said === 'raw') return { result: answer.result };
  if (said === 'fail') return { error: { code: answer.code, message: answer.message } };
  if (!KINDS[said].includes(question.kind)) {
    const wanted =
      question.kind === 'roots' ? 'roots()' : question.kind.startsWith('sampling') ? 'sample()' : 'accept()';
    throw new TypeError(
      `The answer to question ${describeQuestion(question)} must be one to ${question.kind}, such as ${wanted}, got ${said}()`,
    );
  }
  if (said === 'sample') return { result: answer.result };
  if (said === 'roots') return { result: { roots: answer.roots } };
  if (said === 'accept') return { result: { action: 'accept', ...definedMembers({ content: answer.content }) } };
  return { result: { action: said } };
}

/** What a transcript says of it. */
export function answerStep(
  { number }: Question,
  answer: Plain,
  reply: Reply,
  when: Pick<AnswerStep, 'after' | 'isLate'>,
): AnswerStep {
  const value = 'result' in reply ? reply.result : 'error' in reply ? reply.error : undefined;
  return JSON.parse(
    JSON.stringify({ type: 'answer', question: number, said: answer.said, value, ...when }),
  ) as AnswerStep;
}
