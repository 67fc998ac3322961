/** What an SDK v1 instance is subscribed to for its modern listeners: each resource once, however many want it. */
import type { Instance } from './instance.ts';

export class Subscriptions {
  readonly #instance: Instance;
  readonly #onError: (error: Error) => void;
  readonly #listeners = new Map<string, number>();
  /** What the server has not answered yet. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(instance: Instance, onError: (error: Error) => void) {
    this.#instance = instance;
    this.#onError = onError;
  }

  /** Whether somebody's subscription to `uri` was granted. */
  has(uri: string): boolean {
    return this.#listeners.has(uri);
  }

  /** Whether the server wants to hear of subscriptions at all; where it does not, every one is granted. */
  get isAsked(): boolean {
    return this.#instance.handles('resources/subscribe');
  }

  /** Whether the server granted it. */
  async add(uri: string): Promise<boolean> {
    if (!this.has(uri) && this.isAsked && !(await this.#subscribeOnce(uri))) return false;
    this.#listeners.set(uri, (this.#listeners.get(uri) ?? 0) + 1);
    return true;
  }

  /** Not waited for by those who end. */
  remove(uri: string): void {
    const left = (this.#listeners.get(uri) ?? 0) - 1;
    if (left > 0) this.#listeners.set(uri, left);
    // Where the connection ends first, nobody is left to be unsubscribed.
    else if (this.#listeners.delete(uri) && this.isAsked)
      this.#instance.ask('resources/unsubscribe', { uri }).catch(() => undefined);
  }

  /** One request for all who want it meanwhile. */
  #subscribeOnce(uri: string): Promise<boolean> {
    const asking = this.#asking.get(uri) ?? this.#subscribe(uri).finally(() => this.#asking.delete(uri));
    this.#asking.set(uri, asking);
    return asking;
  }

  async #subscribe(uri: string): Promise<boolean> {
    try {
      await this.#instance.ask('resources/subscribe', { uri });
      return true;
    } catch (error) {
      this.#onError(new Error('The server refused resources/subscribe', { cause: error }));
      return false;
    }
  }
}
