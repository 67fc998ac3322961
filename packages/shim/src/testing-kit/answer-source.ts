/** Finds the answer to each question of one run, and knows which ones were never asked for. */
import { isUnwantedPromise } from '../core/thenable.ts';
import type { Answer } from './answers.ts';
import { describeQuestion } from './question.ts';
import { requireAnswer } from './require-answer.ts';
import type { Answers, AnswersByKey } from './script.ts';
import type { Question } from './transcript.ts';

export interface AnswerSource {
  /** @throws Error that names the question when the script has no answer to it. */
  readonly next: (question: Question) => Answer;
  /** The answers that no question has used, by name. */
  readonly unused: () => readonly string[];
}

/** The answers of a script, each to be given once; `era` names the run in errors. */
export function answerSource(answers: Answers, era: string): AnswerSource {
  let used = 0;
  const missing = (question: Question, given: string): Error =>
    new Error(`${era}: the script has no answer to question ${describeQuestion(question)}; ${given}`);
  if (typeof answers === 'function') {
    const next = (question: Question): Answer => {
      const answer = answers(question);
      if (answer === undefined) throw missing(question, `its function has answered ${used}`);
      used += 1;
      const name = `the answer to question ${describeQuestion(question)}`;
      if (isUnwantedPromise(answer)) throw new TypeError(`${name} must be given at once, got a promise`);
      return requireAnswer(name, answer);
    };
    return { next, unused: () => [] };
  }
  const lists: Lists = Array.isArray(answers) ? new Lists({ '': answers }) : new Lists(answers as AnswersByKey);
  const isInOrder = Array.isArray(answers);
  const next = (question: Question): Answer => {
    const answer = lists.take(isInOrder ? '' : question.key);
    if (answer === undefined) throw missing(question, `${used} of ${lists.size} answers are used`);
    used += 1;
    return answer;
  };
  const unused = (): readonly string[] =>
    lists.unused().map((name) => (isInOrder ? `answers${name}` : `answers.${name}`));
  return { next, unused };
}

class Lists {
  readonly #lists: ReadonlyMap<string, Answer | readonly Answer[]>;
  readonly #used = new Map<string, number>();

  constructor(lists: AnswersByKey) {
    this.#lists = new Map(Object.entries(lists));
  }

  get size(): number {
    return [...this.#lists.values()].flat().length;
  }

  take(key: string | undefined): Answer | undefined {
    const list = key === undefined ? undefined : this.#lists.get(key);
    if (key === undefined || list === undefined) return undefined;
    const used = this.#used.get(key) ?? 0;
    const answer = isList(list) ? list[used] : list;
    if (answer !== undefined) this.#used.set(key, used + 1);
    return answer;
  }

  /** `key[index] (said)` of each. */
  unused(): readonly string[] {
    return [...this.#lists].flatMap(([key, list]) => {
      const used = this.#used.get(key) ?? 0;
      if (!isList(list)) return used > 0 ? [] : [`${key} (${list.said})`];
      return list.slice(used).map(({ said }, index) => `${key}[${used + index}] (${said})`);
    });
  }
}

function isList(answer: Answer | readonly Answer[]): answer is readonly Answer[] {
  return Array.isArray(answer);
}
