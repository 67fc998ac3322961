/** The requests of a stdio connection that have no answer yet. */
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcRequest, RequestId } from '../core/json-rpc.ts';

export class StdioRequests {
  readonly #onListenEnd: (id: RequestId) => void;
  readonly #running = new Map<RequestId, JsonRpcRequest>();
  /** Those that listen for changes, which have no end of their own. */
  readonly #listening = new Set<RequestId>();

  /** @param onListenEnd - a listener has been answered, or cancelled. */
  constructor(onListenEnd: (id: RequestId) => void) {
    this.#onListenEnd = onListenEnd;
  }

  /** Whether an answer is on its way: listeners get theirs when everything ends. */
  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id) || this.#listening.has(id);
  }

  isListening(id: RequestId): boolean {
    return this.#listening.has(id);
  }

  /** The params of the running request `id` as they came. */
  paramsOf(id: RequestId): JsonObject | undefined {
    return this.#running.get(id)?.params;
  }

  add(request: JsonRpcRequest): void {
    if (request.method === 'subscriptions/listen') this.#listening.add(request.id);
    else this.#running.set(request.id, request);
  }

  /** The request `id` has its answer. */
  settle(id: RequestId): void {
    this.#running.delete(id);
    if (this.#listening.delete(id)) this.#onListenEnd(id);
  }

  /** The client has cancelled the request `id`, which gets no answer then; an initialize cannot be cancelled. */
  cancel(id: RequestId): void {
    if (this.#running.get(id)?.method !== 'initialize') this.settle(id);
  }
}
