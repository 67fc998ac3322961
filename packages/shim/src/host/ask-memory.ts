/** What a client has to remember of the asks it returned (spec: basic/patterns/mrtr, client requirements). */
import { DualEraError } from '../core/errors.ts';
import { isSameJson, type JsonObject } from '../core/json.ts';

interface Call {
  readonly method: string;
  readonly params: JsonObject;
}

// Bounded by what it weighs: a server may make its states as long as it likes.
const MOST_CHARACTERS = 16_777_216;

export class AskMemory {
  /** The calls behind each state: a server may use the same one for many. */
  readonly #calls = new Map<string, Call[]>();
  #characters = 0;

  /** Remembers the call that `state` belongs to. */
  keep(state: string, call: Call): void {
    const known = this.#calls.get(state) ?? [];
    if (known.some((one) => isSameCall(one, call))) return;
    this.#calls.delete(state);
    this.#calls.set(state, [...known, structuredClone(call)]);
    this.#characters += weightOf(state, call);
    for (const [oldest, calls] of this.#calls) {
      if (this.#characters <= MOST_CHARACTERS || oldest === state) return;
      this.#calls.delete(oldest);
      for (const one of calls) this.#characters -= weightOf(oldest, one);
    }
  }

  /** @throws DualEraError `ARGUMENTS_CHANGED` when `state` came with other calls. One that was never seen passes. */
  check(state: unknown, call: Call): void {
    const known = typeof state === 'string' ? this.#calls.get(state) : undefined;
    if (known === undefined || known.some((one) => isSameCall(one, call))) return;
    throw new DualEraError(
      'ARGUMENTS_CHANGED',
      `This requestState belongs to another call than this ${call.method}: answer an ask with the params it was asked ` +
        'for, or call without requestState to begin anew.',
    );
  }
}

function isSameCall(left: Call, right: Call): boolean {
  return left.method === right.method && isSameJson(left.params, right.params);
}

function weightOf(state: string, { params }: Call): number {
  return state.length + JSON.stringify(params).length;
}
