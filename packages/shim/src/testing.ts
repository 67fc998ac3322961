/**
 * mcp-dual-era/testing: the handlers of a server, driven in both eras by a scripted client.
 *
 * @module
 */
export type {
  AskKind,
  FormSchema,
  Root,
  SamplingResult,
} from './core/embedded-request.ts';
export type { OutcomeReason } from './core/outcome.ts';
export {
  type AcceptedContent,
  type Answer,
  accept,
  cancel,
  decline,
  disconnect,
  fail,
  later,
  never,
  raw,
  roots,
  sample,
} from './testing-kit/answers.ts';
export {
  type CheckReentrancyOptions,
  checkReentrancy,
  type FactoryEffect,
  type Reentrancy,
  type ReentrancyRun,
  type RefusedEffect,
} from './testing-kit/check-reentrancy.ts';
export type { Difference } from './testing-kit/differences.ts';
export type { Effects, Probe } from './testing-kit/effects.ts';
export { formatDifferences } from './testing-kit/format-differences.ts';
export { formatReentrancy } from './testing-kit/format-reentrancy.ts';
export type { TestContext, TestFactory } from './testing-kit/make-server.ts';
export type { EraCounts, RepeatedEffect } from './testing-kit/repeated-effects.ts';
export { type BothEras, runOnBothEras } from './testing-kit/run-both.ts';
export type { Answers, AnswersByKey, Script } from './testing-kit/script.ts';
export type {
  AnswerStep,
  Ending,
  LogStep,
  ProgressStep,
  Question,
  QuestionStep,
  Step,
  Transcript,
} from './testing-kit/transcript.ts';
