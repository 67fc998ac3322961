/**
 * What a handler that asks in mid-body has been answered so far. It runs again from the top for every answer, so each
 * answer is kept under its question: a digest of what was asked, and how many equal ones came before it in the run.
 */
import { readAnswer } from '../core/answer.ts';
import type { EmbeddedMethod } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import { digestOf } from '../state/digest.ts';

/** The questions of the last run in their order, each with its answer, or null where there is none yet. */
export type Entries = readonly (readonly [question: string, answer: JsonObject | null])[];

/** The questions that the last round asked in mid-body, each with the key it was asked under. */
export type Asked = readonly (readonly [key: string, question: string, method: EmbeddedMethod])[];

/** A question that has no answer yet. */
export interface OpenQuestion {
  readonly key: string;
  readonly question: string;
  readonly method: EmbeddedMethod;
  readonly params: JsonObject;
}

export class Ledger {
  readonly #answers = new Map<string, JsonObject>();
  /** The questions as they were recorded, to be compared with the order they come in now. */
  readonly #order: readonly string[];
  readonly #taken: string[] = [];
  readonly #occurrences = new Map<string, number>();
  readonly #open: OpenQuestion[] = [];
  readonly #onDrift: (position: number) => void;
  #hasDrifted = false;
  #isSuspended = false;

  /**
   * @param asked - what the last round asked: the answers to it in `responses` are recorded, unless they have not the shape
   * of one. What was recorded before stays as it is.
   * @param onDrift - called once, with the position of the first question that comes in another order than recorded.
   */
  constructor(
    { entries, asked }: { readonly entries: Entries; readonly asked: Asked },
    responses: JsonObject,
    onDrift: (position: number) => void,
  ) {
    for (const [question, answer] of entries) if (answer !== null) this.#answers.set(question, answer);
    for (const [key, question, method] of asked) {
      const answer = Object.hasOwn(responses, key) ? readAnswer(method, responses[key]) : undefined;
      if (answer !== undefined && !this.#answers.has(question)) {
        this.#answers.set(question, answer as unknown as JsonObject);
      }
    }
    this.#order = entries.map(([question]) => question);
    this.#onDrift = onDrift;
  }

  /**
   * The recorded answer to the next question of the run; undefined where there is none, and it is open from now on.
   *
   * @throws TypeError or RangeError when `given` is no JSON, or nested too deeply.
   */
  take(method: EmbeddedMethod, given: JsonObject): JsonObject | undefined {
    // What the wire alone is about, and an id that is made up anew in each run, make no other question.
    const { _meta: _, task: _task, elicitationId: _id, ...params } = given;
    const digest = digestOf([method, params]);
    const occurrence = this.#occurrences.get(digest) ?? 0;
    this.#occurrences.set(digest, occurrence + 1);
    const question = `${digest}.${occurrence}`;
    this.#taken.push(question);
    this.#compare(question);
    const answer = this.#answers.get(question);
    if (answer === undefined) {
      this.#open.push({ key: `question-${this.#answers.size + this.#open.length + 1}`, question, method, params });
    }
    return answer;
  }

  #compare(question: string): void {
    const position = this.#taken.length;
    const expected = this.#order[position - 1];
    if (expected === undefined || expected === question || this.#hasDrifted) return;
    this.#hasDrifted = true;
    this.#onDrift(position);
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Ends the run with its open questions: the ask of them. */
  suspend(): JsonObject {
    this.#isSuspended = true;
    const inputRequests = this.#open.map(({ key, method, params }) => [key, { method, params }] as const);
    return { resultType: 'input_required', inputRequests: Object.fromEntries(inputRequests) };
  }

  /** What has to be sealed with an ask of this run: of its own open questions, or of the handler's. */
  get sealed(): { readonly entries: Entries; readonly asked: Asked } {
    const open = this.#isSuspended ? this.#open : [];
    // What was recorded stays recorded, also where this run did not come to ask it.
    const questions = new Set([...this.#taken, ...this.#answers.keys()]);
    return {
      entries: [...questions].map((question) => [question, this.#answers.get(question) ?? null] as const),
      asked: open.map(({ key, question, method }) => [key, question, method] as const),
    };
  }
}
