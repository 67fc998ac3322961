/** An SDK v1 instance that stays for as long as a modern client listens, so that what it announces is heard. */
import type { Instance } from './instance.ts';

export class Listening {
  readonly #instance: Instance;
  readonly #onError: (error: Error) => void;
  readonly #uris = new Set<string>();
  #isOver = false;

  constructor(instance: Instance, onError: (error: Error) => void) {
    this.#instance = instance;
    this.#onError = onError;
  }

  /** Subscribes to what the client listens for: in the handshake era that is a request of its own. */
  async begin(uris: unknown): Promise<void> {
    if (!Array.isArray(uris) || !this.#instance.handles('resources/subscribe')) return;
    for (const uri of new Set<unknown>(uris)) {
      if (typeof uri === 'string' && (await this.#ask('resources/subscribe', uri))) this.#uris.add(uri);
    }
  }

  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.unsubscribe();
    await this.#instance.close();
  }

  /** Ends the subscriptions alone, where others go on with the instance. */
  async unsubscribe(): Promise<void> {
    for (const uri of this.#uris) {
      this.#uris.delete(uri);
      await this.#ask('resources/unsubscribe', uri);
    }
  }

  async #ask(method: string, uri: string): Promise<boolean> {
    try {
      await this.#instance.ask(method, { uri });
      return true;
    } catch (error) {
      this.#onError(new Error(`The server refused ${method}`, { cause: error }));
      return false;
    }
  }
}
