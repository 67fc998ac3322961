/** The requests of one connection that SDK v1 has not answered, and their progress. */
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { Call } from './call.ts';
import type { CallProgress } from './progress.ts';

export class Calls {
  readonly #byId = new Map<unknown, Call>();
  readonly #progress = new Map<unknown, CallProgress>();

  get size(): number {
    return this.#byId.size;
  }

  has(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  /** Whether the call that `id` names has ended; false where nothing is named. */
  isOver(id: RequestId | undefined): boolean {
    return id !== undefined && this.#byId.get(id)?.isOver !== false;
  }

  get(id: unknown): Call | undefined {
    return this.#byId.get(id);
  }

  add(call: Call): void {
    this.#byId.set(call.request.id, call);
    if (call.progress !== undefined) this.#progress.set(call.progress.token, call.progress);
  }

  delete(call: Call): void {
    const { request, progress } = call;
    // Its id may be another one's by now.
    if (this.#byId.get(request.id) === call) this.#byId.delete(request.id);
    if (progress !== undefined && this.#progress.get(progress.token) === progress)
      this.#progress.delete(progress.token);
  }

  /** A copy, so that calls can be ended while it is walked through. */
  list(): Call[] {
    return [...this.#byId.values()];
  }

  /** `notification`, a progress of the call `relatedTo` or of the one with its token, above the last one sent. */
  rise(notification: JsonRpcNotification, relatedTo: RequestId | undefined): JsonRpcNotification {
    const token = notification.params?.['progressToken'];
    const own = this.get(relatedTo)?.progress;
    const progress = own?.token === token ? own : this.#progress.get(token);
    return progress === undefined ? notification : progress.rise(notification);
  }
}
