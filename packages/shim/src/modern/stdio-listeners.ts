/** The modern listeners of a stdio connection: one instance is subscribed to what any of them wants. */
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import { settleWithin } from '../handshake/settle-within.ts';
import type { Instance } from './instance.ts';
import { Listening } from './listening.ts';
import { Subscriptions } from './subscriptions.ts';

/** How long a server may take to grant what a client listens for, in milliseconds. */
const LONGEST_SUBSCRIBE = 5_000;

export class StdioListeners {
  readonly #by: { readonly clock: Clock; readonly onError: (error: Error) => void };
  readonly #subscriptions: Subscriptions;
  readonly #open = new Map<RequestId, Listening>();

  constructor(instance: Instance, by: { readonly clock: Clock; readonly onError: (error: Error) => void }) {
    this.#by = by;
    this.#subscriptions = new Subscriptions(instance, by.onError);
  }

  /** Those of `uris` that the server grants; an answer that does not come in time is a no. */
  async begin(id: RequestId, uris: readonly string[]): Promise<readonly string[]> {
    const listening = new Listening(this.#subscriptions);
    this.#open.set(id, listening);
    await settleWithin(listening.begin(uris), LONGEST_SUBSCRIBE, this.#by);
    return listening.settle();
  }

  end(id: RequestId): void {
    this.#open.get(id)?.end();
    this.#open.delete(id);
  }

  /** Whether `notification` is of a resource that the server wants to be asked for, and was not. */
  isUnasked({ method, params }: JsonRpcNotification): boolean {
    if (method !== 'notifications/resources/updated' || !this.#subscriptions.isAsked) return false;
    return !this.#subscriptions.has(String(params?.['uri']));
  }
}
