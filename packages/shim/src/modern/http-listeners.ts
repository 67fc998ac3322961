/** The modern listeners of an HTTP endpoint: what each of them holds ends with the stream that it hears on. */
import type { JsonObject } from '../core/json.ts';
import type { WaitPorts } from '../handshake/settle-within.ts';
import { isEventStream, withHooks } from '../handshake/watch-body.ts';
import type { Instance } from './instance.ts';
import { Listening, urisOf } from './listening.ts';
import { Subscriptions } from './subscriptions.ts';

export class HttpListeners {
  readonly #ports: WaitPorts;
  readonly #ends = new WeakMap<Request, () => void>();

  constructor(ports: WaitPorts) {
    this.#ports = ports;
  }

  /**
   * Subscribes `instance` to the resources that `notifications` of `request` name, and leaves there those that its server
   * grants in time: the engine reads the message after this, and honours what it finds. `onEnd` is called when it is over.
   */
  async begin(
    request: Request,
    notifications: JsonObject,
    { instance, onEnd }: { readonly instance: Instance; readonly onEnd: () => void },
  ): Promise<void> {
    const listening = new Listening(new Subscriptions(instance, this.#ports.onError), this.#ports);
    this.#ends.set(request, () => {
      listening.end();
      onEnd();
    });
    const uris = urisOf(notifications);
    const granted = await listening.begin(uris);
    if (uris.length > 0) notifications['resourceSubscriptions'] = granted;
  }

  /** Ends the listener of `request`; false where there is none. */
  end(request: Request): boolean {
    const end = this.#ends.get(request);
    end?.();
    return end !== undefined;
  }

  /** `response` to `request`, with whose stream its listener ends; at once where there is no stream. */
  watch(request: Request, response: Response): Response {
    const onEnd = this.#ends.get(request);
    if (onEnd === undefined) return response;
    if (isEventStream(response)) return withHooks(response, { onEnd, signal: request.signal });
    onEnd();
    return response;
  }
}
