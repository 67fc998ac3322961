/** One call in one era: what goes into it, what comes out, and the notes that both eras take of it alike. */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { JsonRpcError } from '../core/json-rpc.ts';
import { OUTCOME_KEY, type OutcomeReason } from '../core/outcome.ts';
import type { Era } from '../core/revision.ts';
import type { AnswerSource } from './answer-source.ts';
import type { EffectLog } from './effects.ts';
import type { TestFactory } from './make-server.ts';
import { type AskedQuestion, questionOf } from './question.ts';
import type { ResolvedScript } from './script.ts';
import type { AnswerStep, Ending, Question, Step, Transcript } from './transcript.ts';

export interface RunInput {
  readonly factory: TestFactory;
  readonly script: ResolvedScript;
  readonly answers: AnswerSource;
  readonly effects: EffectLog;
}

/** More questions than this in one call are taken for a handler that never ends. */
const MOST_QUESTIONS = 100;

// Of the shim's own heartbeats, which only a client that waits gets.
const HEARTBEAT = 'Waiting for an answer';

export class Notes {
  readonly era: Era;
  readonly #effects: EffectLog;
  readonly #steps: Step[] = [];
  #questions = 0;

  constructor(era: Era, effects: EffectLog) {
    this.era = era;
    this.#effects = effects;
  }

  /** @throws Error when the call asks without end. */
  question(asked: Omit<AskedQuestion, 'number'>): Question {
    this.#questions += 1;
    if (this.#questions > MOST_QUESTIONS)
      throw new Error(`${this.era}: the call asked more than ${MOST_QUESTIONS} questions`);
    const question = questionOf({ ...asked, number: this.#questions });
    this.#effects.noteQuestion(question);
    this.#steps.push({ type: 'question', ...question });
    return question;
  }

  answer(step: AnswerStep): void {
    this.#steps.push(step);
  }

  /** Progress and log messages are kept; others, such as changed lists, are no part of a call. */
  notification({ method, params }: JsonObject): void {
    if (!isJsonObject(params)) return;
    const { _meta, progressToken: _token, ...said } = params;
    if (method === 'notifications/message') this.#steps.push({ type: 'log', ...said } as unknown as Step);
    const isProgress = method === 'notifications/progress' && said['message'] !== HEARTBEAT;
    if (isProgress) this.#steps.push({ type: 'progress', ...said } as unknown as Step);
  }

  /** The transcript of a call that the server answered. */
  answered(message: JsonObject): Transcript {
    this.#effects.take();
    const error = message['error'] as JsonRpcError | undefined;
    if (error !== undefined) {
      const outcome = outcomeOf(error.data);
      return this.#transcript(endingOf(outcome) ?? 'error', { error, ...(outcome === undefined ? {} : { outcome }) });
    }
    const { meta, result } = withoutStamps(message['result'] as JsonObject);
    const outcome = outcomeOf(meta?.[OUTCOME_KEY]);
    return this.#transcript(endingOf(outcome) ?? 'result', { result, ...(outcome === undefined ? {} : { outcome }) });
  }

  /** The transcript of a call that ended without an answer, or whose answer is another one's to tell of. */
  ended(ending: Ending, more: Partial<Transcript> = {}): Transcript {
    this.#effects.take();
    return this.#transcript(ending, more);
  }

  #transcript(ending: Ending, more: Partial<Transcript>): Transcript {
    return { era: this.era, steps: this.#steps, ending, ...more };
  }
}

function endingOf(outcome: JsonObject | undefined): OutcomeReason | undefined {
  return outcome?.['reason'] as OutcomeReason | undefined;
}

function outcomeOf(value: unknown): JsonObject | undefined {
  const isOutcome = isJsonObject(value) && typeof value['reason'] === 'string' && typeof value['target'] === 'string';
  return isOutcome ? value : undefined;
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** `result` without what the modern wire has every result say, and with what is left of its `_meta`. */
function withoutStamps(given: JsonObject): { readonly result: JsonObject; readonly meta: JsonObject | undefined } {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...result } = given;
  if (!isJsonObject(_meta)) return { result, meta: undefined };
  const { [SERVER_INFO]: _info, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? { result, meta } : { result: { ...result, _meta: meta }, meta };
}
