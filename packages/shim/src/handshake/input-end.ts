/** Decides when a connection whose input has ended can be closed. */
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { Calls } from './calls.ts';

/**
 * After the end of the input a running handler may still finish and its result be read, so the connection stays open
 * for it; but a handler that waits for an answer of the client will wait in vain. A request that names no call may be any
 * handler's, so each stands for one that waits: where it was nobody's, a handler that could have finished is cut off.
 */
export class InputEnd {
  readonly #calls: Calls;
  /** Requests of SDK v1 itself that the client has not answered, with the call each belongs to, where that is told. */
  readonly #ownRequests = new Map<RequestId, RequestId | undefined>();
  #onIdle: (() => void) | undefined;
  #hasBegun = false;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  addRequest(id: RequestId, relatedTo: RequestId | undefined): void {
    this.#ownRequests.set(id, relatedTo);
  }

  deleteRequest(id: RequestId): void {
    this.#ownRequests.delete(id);
  }

  /** SDK v1 gives a request up by cancelling it: no answer to it is awaited any more. */
  noteCancellation({ method, params }: JsonRpcNotification): void {
    if (method === 'notifications/cancelled') this.#ownRequests.delete(params?.['requestId'] as RequestId);
  }

  /** The input has ended: `onIdle` is called once, when `check` finds nothing left to wait for. */
  begin(onIdle: () => void): void {
    this.#hasBegun = true;
    this.#onIdle = onIdle;
  }

  check(): void {
    if (this.#onIdle === undefined || this.#calls.size > this.#waiting()) return;
    const onIdle = this.#onIdle;
    this.clear();
    // Not at once: the answer that made it idle is about to be sent.
    void Promise.resolve().then(onIdle);
  }

  /** How many calls at most wait for an answer that will not come. */
  #waiting(): number {
    const related = [...this.#ownRequests.values()];
    const unrelated = related.filter((id) => id === undefined).length;
    // Of a call that has been answered, nobody waits any more.
    const calls = new Set(related.filter((id) => id !== undefined && this.#calls.has(id)));
    return unrelated + calls.size;
  }

  clear(): void {
    this.#onIdle = undefined;
    this.#ownRequests.clear();
  }
}
