/** The modern listeners of a stdio connection: one instance is subscribed to what any of them wants. */
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { WaitPorts } from '../handshake/settle-within.ts';
import type { Instance } from './instance.ts';
import { Listening } from './listening.ts';
import { Subscriptions } from './subscriptions.ts';

export class StdioListeners {
  readonly #ports: WaitPorts;
  readonly #subscriptions: Subscriptions;
  readonly #open = new Map<RequestId, Listening>();

  constructor(instance: Instance, ports: WaitPorts) {
    this.#ports = ports;
    this.#subscriptions = new Subscriptions(instance, ports.onError);
  }

  /** Those of `uris` that the server grants in time. */
  begin(id: RequestId, uris: readonly string[]): Promise<readonly string[]> {
    const listening = new Listening(this.#subscriptions, this.#ports);
    this.#open.set(id, listening);
    return listening.begin(uris);
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
