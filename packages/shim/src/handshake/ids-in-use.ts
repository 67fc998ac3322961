/** The request ids that a new request must not have. */
import type { RequestId } from '../core/json-rpc.ts';
import type { Calls } from './calls.ts';

/**
 * Besides those of the calls in flight, the ids that were seen in the body of an HTTP request which the transport has
 * not delivered yet: two requests of one turn of the event loop would else both be taken for the first.
 */
export class IdsInUse {
  readonly #calls: Calls;
  readonly #reserved = new Map<RequestId, object>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  has(id: RequestId): boolean {
    return this.#calls.has(id) || this.#reserved.has(id);
  }

  /** Keeps `ids` for the HTTP request `owner` until they are delivered, or `owner` is through. */
  reserve(ids: Iterable<RequestId>, owner: object): void {
    for (const id of ids) this.#reserved.set(id, owner);
  }

  /** The request with this id has arrived. */
  deliver(id: RequestId): void {
    this.#reserved.delete(id);
  }

  /** Lets go of what is left of the ids of `owner`. */
  release(ids: Iterable<RequestId>, owner: object): void {
    for (const id of ids) if (this.#reserved.get(id) === owner) this.#reserved.delete(id);
  }
}
