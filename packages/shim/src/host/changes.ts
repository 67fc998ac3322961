/** Keeps a modern client's subscription as the client of the handshake era would have it: without asking for it. */
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Clock } from '../core/options.ts';

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

const PLATFORM: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export class Changes {
  readonly #engine: Client;
  readonly #onError: (error: Error) => void;
  readonly #uris = new Set<string>();
  #subscription: McpSubscription | undefined;
  /** The updates so far, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #timer: unknown;
  #delay = FIRST_DELAY;
  #isClosed = false;

  readonly #timers: Timers;

  constructor(engine: Client, onError: (error: Error) => void, timers: Timers = PLATFORM) {
    this.#timers = timers;
    this.#engine = engine;
    this.#onError = onError;
  }

  /** Listens for what the server announces unasked in the handshake era: changes of its lists. */
  open(): Promise<void> {
    return this.#update();
  }

  async subscribe(uri: string): Promise<void> {
    this.#uris.add(uri);
    await this.#update();
  }

  async unsubscribe(uri: string): Promise<void> {
    if (this.#uris.delete(uri)) await this.#update();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.clearTimeout(this.#timer);
    await this.#subscription?.close();
  }

  #update(): Promise<void> {
    const updated = this.#work.then(() => this.#listen());
    this.#work = updated.catch(() => undefined);
    return updated;
  }

  async #listen(): Promise<void> {
    if (this.#isClosed) return;
    const before = this.#subscription;
    const filter = filterOf(this.#engine.getServerCapabilities(), this.#uris);
    const subscription = Object.keys(filter).length === 0 ? undefined : await this.#engine.listen(filter);
    this.#subscription = subscription;
    // Only now, so that nothing is missed in between; not waited for, since the server may leave it unanswered.
    before?.close().catch(this.#onError);
    if (subscription === undefined) return;
    this.#delay = FIRST_DELAY;
    void subscription.closed.then((why) => {
      if (why === 'remote' && subscription === this.#subscription) this.#listenLater();
    });
  }

  /** The stream broke off: tries again, less and less often. */
  #listenLater(): void {
    if (this.#isClosed) return;
    const delay = this.#delay;
    this.#delay = Math.min(2 * delay, LONGEST_DELAY);
    this.#timer = this.#timers.setTimeout(() => {
      this.#update().catch((error: Error) => {
        this.#onError(error);
        this.#listenLater();
      });
    }, delay);
    // A client that waits for nothing else can end.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}

function filterOf(capabilities: unknown, uris: ReadonlySet<string>): Parameters<Client['listen']>[0] {
  const changes = (name: string): boolean => {
    const declared = isJsonObject(capabilities) ? capabilities[name] : undefined;
    return isJsonObject(declared) && (declared as JsonObject)['listChanged'] === true;
  };
  return {
    ...(changes('tools') ? { toolsListChanged: true } : {}),
    ...(changes('prompts') ? { promptsListChanged: true } : {}),
    ...(changes('resources') ? { resourcesListChanged: true } : {}),
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
  };
}
