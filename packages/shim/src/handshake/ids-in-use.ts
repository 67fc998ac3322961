/** The request ids that a new request must not have. */
import type { RequestId } from '../core/json-rpc.ts';
import type { Calls } from './calls.ts';

/**
 * Besides those of the calls in flight, the ids that were seen in the body of an HTTP request which the transport has
 * not delivered yet: two requests of one turn of the event loop would else both be taken for the first.
 */
export class IdsInUse {
  readonly #calls: Calls;
  /** Each with all of the ids of its HTTP request. */
  readonly #reserved = new Map<RequestId, readonly RequestId[]>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  has(id: RequestId): boolean {
    return this.#calls.has(id) || this.#reserved.has(id);
  }

  /** Keeps `ids`, those of one HTTP request, until they are delivered, or the request is through. */
  reserve(ids: readonly RequestId[]): void {
    for (const id of ids) this.#reserved.set(id, ids);
  }

  /** The request with this id has arrived. */
  deliver(id: RequestId): void {
    this.#reserved.delete(id);
  }

  /** The request that `ids` were kept for is through. */
  release(ids: readonly RequestId[]): void {
    // Its id may be another one's by now.
    for (const id of ids) if (this.#reserved.get(id) === ids) this.#reserved.delete(id);
  }
}
