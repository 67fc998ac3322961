/**
 * The acknowledgements of the listeners on a stdio connection: each names what was granted, and comes before everything
 * else that its listener hears (spec: basic/utilities/subscriptions).
 */
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import { urisOf } from './listening.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

export interface AcknowledgementsOptions {
  /** A subscription is about to stand: those of the resources it listens for that the server grants. Never rejects. */
  readonly onListen: (id: RequestId, uris: readonly string[]) => Promise<readonly string[]>;
  /** Whether a listener has not ended. */
  readonly isListening: (id: RequestId) => boolean;
  readonly send: (notification: JsonRpcNotification) => void;
}

export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;
  /** What listeners are to hear once they have been acknowledged. */
  readonly #held = new Map<RequestId, JsonRpcNotification[]>();

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
  }

  /** Whether `notification` has to wait: it is sent later, unless its listener ends first. */
  hold(notification: JsonRpcNotification): boolean {
    const { _meta: meta, notifications } = (notification.params ?? {}) as {
      _meta?: JsonObject;
      notifications?: unknown;
    };
    const id = meta?.[SUBSCRIPTION] as RequestId;
    const held = this.#held.get(id);
    held?.push(notification);
    if (held !== undefined) return true;
    const uris = notification.method === ACKNOWLEDGED ? urisOf(notifications) : [];
    // It may have ended before it stands.
    if (uris.length === 0 || !this.#options.isListening(id)) return false;
    void this.#acknowledge(id, notification, uris);
    return true;
  }

  /** The listener `id` has ended: it hears no more. */
  end(id: RequestId): void {
    this.#held.delete(id);
  }

  async #acknowledge(id: RequestId, notification: JsonRpcNotification, uris: readonly string[]): Promise<void> {
    const held: JsonRpcNotification[] = [];
    this.#held.set(id, held);
    const granted = await this.#options.onListen(id, uris);
    // It has ended; another one may have its id by now.
    if (this.#held.get(id) !== held) return;
    this.#held.delete(id);
    for (const sent of [withGranted(notification, granted), ...held]) this.#options.send(sent);
  }
}

/** `notification` of what was granted alone. */
function withGranted(notification: JsonRpcNotification, granted: readonly string[]): JsonRpcNotification {
  const { notifications: asked, ...params } = notification.params ?? {};
  const { resourceSubscriptions: _, ...others } = asked as JsonObject;
  const notifications = granted.length === 0 ? others : { ...others, resourceSubscriptions: granted };
  return { ...notification, params: { ...params, notifications } };
}
