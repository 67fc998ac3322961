/** Keeps a modern client's subscription as the client of the handshake era would have it: without asking for it. */
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { asError } from '../core/errors.ts';
import { describeValue, isJsonObject, type JsonObject } from '../core/json.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import { jsonRpcErrorOf, RpcError } from './rpc-error.ts';

/** Between one attempt to listen and the next, in milliseconds. */
const FIRST_DELAY = 1_000;
const MOST_DELAY = 30_000;

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

const PLATFORM: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export class Changes {
  readonly #engine: Client;
  readonly #onError: (error: Error) => void;
  /** The resources that the server granted a subscription to. */
  #uris: ReadonlySet<string> = new Set();
  #subscription: McpSubscription | undefined;
  /** What was done so far, and is being done. */
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

  /**
   * Listens for what the server announces unasked in the handshake era: changes of its lists. Tries again, less and less
   * often, where that fails; `onError` hears of it.
   */
  async open(): Promise<void> {
    try {
      await this.#inTurn(() => this.#listen(this.#uris));
    } catch (error) {
      if (this.#isClosed) return;
      this.#onError(asError(error));
      // A server without listeners will have none later.
      if (jsonRpcErrorOf(error).code !== METHOD_NOT_FOUND) this.#listenLater();
    }
  }

  /** @throws RpcError when the server does not grant it, and what the engine throws; then it is not tried again. */
  subscribe(uri: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#listen(new Set(this.#uris).add(uri));
      if (!this.#isClosed && !this.#uris.has(uri)) throw refusal(uri);
    });
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#inTurn(async () => {
      const uris = new Set(this.#uris);
      if (uris.delete(uri)) await this.#listen(uris);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.clearTimeout(this.#timer);
    await this.#subscription?.close();
  }

  /** One after the other, so that each begins with what the one before it was granted. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #listen(uris: ReadonlySet<string>): Promise<void> {
    if (this.#isClosed) return;
    const before = this.#subscription;
    const filter = filterOf(this.#engine.getServerCapabilities(), uris);
    const subscription = Object.keys(filter).length === 0 ? undefined : await this.#engine.listen(filter);
    this.#subscription = subscription;
    this.#timers.clearTimeout(this.#timer);
    // Only now, so that nothing is missed in between; not waited for, since the server may leave it unanswered.
    before?.close().catch(this.#onError);
    this.#grant(uris, subscription?.honoredFilter.resourceSubscriptions ?? []);
    if (subscription === undefined) return;
    this.#delay = FIRST_DELAY;
    // A server that grants nothing has nothing to keep a stream open for.
    if (Object.keys(subscription.honoredFilter).length === 0) return;
    void subscription.closed.then((why) => {
      if (why !== 'local' && subscription === this.#subscription) this.#listenLater();
    });
  }

  /** Keeps those of `uris` that the server granted; of one that it no longer grants, `onError` hears. */
  #grant(uris: ReadonlySet<string>, granted: readonly string[]): void {
    const lost = [...this.#uris].filter((uri) => uris.has(uri) && !granted.includes(uri));
    this.#uris = new Set(granted.filter((uri) => uris.has(uri)));
    for (const uri of lost) this.#onError(refusal(uri));
  }

  /** The stream is not there: tries again, less and less often. */
  #listenLater(): void {
    if (this.#isClosed) return;
    const delay = this.#delay;
    this.#delay = Math.min(2 * delay, MOST_DELAY);
    this.#timers.clearTimeout(this.#timer);
    this.#timer = this.#timers.setTimeout(() => void this.open(), delay);
    // A client that waits for nothing else can end.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}

function refusal(uri: string): RpcError {
  const message = `The server does not grant the subscription to ${describeValue(uri)}`;
  return new RpcError({ code: INTERNAL_ERROR, message, data: { reason: 'not-granted' } });
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
