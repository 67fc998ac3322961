/** The resources that one modern client listens for. */
import { INVALID_PARAMS, type JsonRpcError } from '../core/json-rpc.ts';
import type { Subscriptions } from './subscriptions.ts';

/** More in one request would keep the process from everything else. */
const MOST_URIS = 1_000;

export class Listening {
  readonly #subscriptions: Subscriptions;
  readonly #granted = new Set<string>();
  #isOver = false;

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  /** Subscribes to `uris`: in the handshake era that is a request of its own. Gives those that the server granted. */
  async begin(uris: readonly string[]): Promise<readonly string[]> {
    for (const uri of new Set(uris)) {
      if (this.#isOver) break;
      if (!(await this.#subscriptions.add(uri))) continue;
      this.#granted.add(uri);
      // It ended meanwhile, when this one was not among those to let go of.
      if (this.#isOver) this.#release(uri);
    }
    return [...this.#granted];
  }

  end(): void {
    this.#isOver = true;
    for (const uri of this.#granted) this.#release(uri);
  }

  #release(uri: string): void {
    if (this.#granted.delete(uri)) this.#subscriptions.remove(uri);
  }
}

/** The error for a listen request that names too many resources. */
export function tooManyUris(notifications: unknown): JsonRpcError | undefined {
  if (urisOf(notifications).length <= MOST_URIS) return undefined;
  const message = `Invalid params: at most ${MOST_URIS} resourceSubscriptions in one request`;
  return { code: INVALID_PARAMS, message };
}

/** The resources that a listen request names. */
export function urisOf(notifications: unknown): readonly string[] {
  const given = (notifications as { resourceSubscriptions?: unknown } | undefined)?.resourceSubscriptions;
  return Array.isArray(given) ? given.filter((uri): uri is string => typeof uri === 'string') : [];
}
