/** What a client has to remember of the asks it returned (spec: basic/patterns/mrtr, client requirements). */
import { DualEraError } from '../core/errors.ts';
import { isSameJson, type JsonObject } from '../core/json.ts';

interface Call {
  readonly method: string;
  readonly params: JsonObject;
}

// Bounded by what it weighs: a server may make its states as long as it likes.
const MOST_CHARACTERS = 16_777_216;

/** The calls behind one state, the oldest first: a server may use it for many. */
interface Known {
  readonly calls: Call[];
  /** Whether a call was dropped: one that is not among them may then be one of the state's all the same. */
  isCut: boolean;
}

export class AskMemory {
  readonly #states = new Map<string, Known>();
  #characters = 0;

  /** Remembers the call that `state` belongs to. */
  keep(state: string, call: Call): void {
    const known = this.#states.get(state) ?? { calls: [], isCut: false };
    if (known.calls.some((one) => isSameCall(one, call))) return;
    known.calls.push(structuredClone(call));
    this.#states.delete(state);
    this.#states.set(state, known);
    this.#characters += weightOf(state, call);
    this.#forget(state);
  }

  /** @throws DualEraError `ARGUMENTS_CHANGED` when `state` came with other calls. One that was never seen passes. */
  check(state: unknown, call: Call): void {
    const known = typeof state === 'string' ? this.#states.get(state) : undefined;
    if (known === undefined || known.isCut || known.calls.some((one) => isSameCall(one, call))) return;
    throw new DualEraError(
      'ARGUMENTS_CHANGED',
      `This requestState belongs to another call than this ${call.method}: answer an ask with the params it was asked ` +
        'for, or call without requestState to begin anew.',
    );
  }

  /** Drops the oldest calls; the last one of the state that is `newest` stays, whatever it weighs. */
  #forget(newest: string): void {
    for (const [state, known] of this.#states) {
      let dropped = 0;
      for (const call of known.calls) {
        if (this.#characters <= MOST_CHARACTERS || (state === newest && dropped === known.calls.length - 1)) break;
        this.#characters -= weightOf(state, call);
        dropped += 1;
      }
      known.calls.splice(0, dropped);
      known.isCut ||= dropped > 0;
      if (known.calls.length > 0) return;
      this.#states.delete(state);
    }
  }
}

function isSameCall(left: Call, right: Call): boolean {
  return left.method === right.method && isSameJson(left.params, right.params);
}

function weightOf(state: string, { params }: Call): number {
  return state.length + JSON.stringify(params).length;
}
