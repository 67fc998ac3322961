/** What a client has to remember of the asks it returned (spec: basic/patterns/mrtr, client requirements). */
import { DualEraError } from '../core/errors.ts';
import { isSameJson, type JsonObject } from '../core/json.ts';

interface Call {
  readonly method: string;
  readonly params: JsonObject;
}

// Bounded by what the states weigh: a server may make them as long as it likes.
const MOST_CHARACTERS = 16_777_216;

export class AskMemory {
  readonly #calls = new Map<string, Call>();
  #characters = 0;

  /** Remembers the call that `state` belongs to. */
  keep(state: string, call: Call): void {
    if (this.#calls.has(state)) return;
    this.#calls.set(state, structuredClone(call));
    this.#characters += state.length;
    for (const [oldest] of this.#calls) {
      if (this.#characters <= MOST_CHARACTERS || oldest === state) return;
      this.#calls.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  /** @throws DualEraError `ARGUMENTS_CHANGED` when `state` came with another call. One that was never seen passes. */
  check(state: unknown, { method, params }: Call): void {
    const known = typeof state === 'string' ? this.#calls.get(state) : undefined;
    if (known === undefined || (known.method === method && isSameJson(known.params, params))) return;
    throw new DualEraError(
      'ARGUMENTS_CHANGED',
      `This requestState belongs to ${known.method} with other params: answer an ask with the params it was asked for, ` +
        'or call without requestState to begin anew.',
    );
  }
}
