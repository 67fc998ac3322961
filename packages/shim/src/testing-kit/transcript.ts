/** What happened in one era, as plain JSON. */
import type { AskKind, FormSchema } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcError } from '../core/json-rpc.ts';
import type { OutcomeReason } from '../core/outcome.ts';
import type { Era } from '../core/revision.ts';
import type { Answer } from './answers.ts';

/** A question as a person sees it: nothing of what only one wire has. */
export interface Question {
  /** Counted from 1 over the whole call. */
  readonly number: number;
  /** The key that the handler gave it. A question asked in mid-body has none. */
  readonly key?: string;
  readonly kind: AskKind;
  /** Of a form or a page. */
  readonly message?: string;
  /** Of a form. */
  readonly requestedSchema?: FormSchema;
  /** Of a page. */
  readonly url?: string;
  /** Of sampling. */
  readonly params?: JsonObject;
}

export interface QuestionStep extends Question {
  readonly type: 'question';
}

export interface AnswerStep {
  readonly type: 'answer';
  /** The number of the question. */
  readonly question: number;
  readonly said: Exclude<Answer['said'], 'later'>;
  /** What was sent: the result, or the code and message of the error. */
  readonly value?: unknown;
  /** Milliseconds of the hand-driven clock until it was given, where it took any. */
  readonly after?: number;
  /** The call had ended by then, so that it was not sent. */
  readonly isLate?: true;
}

export interface ProgressStep {
  readonly type: 'progress';
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface LogStep {
  readonly type: 'log';
  readonly level: string;
  readonly logger?: string;
  readonly data: unknown;
}

export type Step = QuestionStep | AnswerStep | ProgressStep | LogStep;

/**
 * How the call ended: with the handler's result, with an error, because the client went away, or with the reason of a
 * call that could not be fulfilled. Where a modern client gives up, the same reason is given as the shim gives for it.
 */
export type Ending = 'result' | 'error' | 'disconnected' | OutcomeReason;

export interface Transcript {
  readonly era: Era;
  /** What the client saw and said, in order. */
  readonly steps: readonly Step[];
  readonly ending: Ending;
  /** Without what the modern wire stamps on it. */
  readonly result?: JsonObject;
  readonly error?: JsonRpcError;
  /** Why the call could not be fulfilled, as the server said it. */
  readonly outcome?: JsonObject;
}
