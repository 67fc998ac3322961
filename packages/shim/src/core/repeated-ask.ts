/** Notices a handler that asks the same question again although its answer will not change. */
import type { CheckedRequest } from './check-ask.ts';
import { isSameJson, type JsonObject } from './json.ts';
import type { OutcomeReason } from './outcome.ts';

/** What became of a question: usable answers need no memory. */
export type PoorAnswer = 'declined' | 'cancelled' | 'failed' | 'malformed' | 'unusable';

interface Asked {
  readonly request: CheckedRequest;
  readonly answer: PoorAnswer;
  /** How often in a row this question has had an unusable answer. */
  readonly unusable: number;
}

const UNUSABLE_LIMIT = 3;

/** The memory of one call: the last round's questions that had no usable answer. */
export class RepeatedAsks {
  #last: Map<string, Asked> | undefined;

  /** The first question of `requests` that must not be asked again, with the reason that ends the call. */
  find(requests: readonly CheckedRequest[]): { readonly key: string; readonly reason: OutcomeReason } | undefined {
    for (const request of requests) {
      const asked = this.#last?.get(request.key);
      if (asked === undefined || !isSameQuestion(asked.request, request)) continue;
      const reason = reasonToEnd(asked);
      if (reason !== undefined) return { key: request.key, reason };
    }
    return undefined;
  }

  /** Remembers the round that just ended: each question with what became of it. */
  remember(round: Iterable<readonly [CheckedRequest, PoorAnswer | undefined]>): void {
    const last = this.#last;
    this.#last = undefined;
    for (const [request, answer] of round) {
      if (answer === undefined) continue;
      const before = last?.get(request.key);
      const isAgain = before !== undefined && isSameQuestion(before.request, request);
      const isUnusable = answer === 'malformed' || answer === 'unusable';
      const unusable = isUnusable ? 1 + (isAgain ? before.unusable : 0) : 0;
      this.#last ??= new Map();
      this.#last.set(request.key, { request, answer, unusable });
    }
  }
}

function reasonToEnd(asked: Asked): OutcomeReason | undefined {
  if (asked.answer === 'declined' || asked.answer === 'cancelled') return asked.answer;
  if (asked.answer === 'failed') return 'repeated-ask';
  if (asked.unusable < UNUSABLE_LIMIT) return undefined;
  return asked.answer === 'malformed' ? 'malformed' : 'repeated-ask';
}

function isSameQuestion(left: CheckedRequest, right: CheckedRequest): boolean {
  return left.method === right.method && isSameJson(withoutNote(left.params), withoutNote(right.params));
}

function withoutNote(params: JsonObject): JsonObject {
  return { ...params, note: undefined };
}
