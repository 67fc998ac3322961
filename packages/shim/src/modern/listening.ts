/** The resources that one modern client listens for. */
import { INVALID_PARAMS, type JsonRpcError } from '../core/json-rpc.ts';
import { settleWithin, type WaitPorts } from '../handshake/settle-within.ts';
import type { Subscriptions } from './subscriptions.ts';

/** More in one request would keep the process from everything else. */
const MOST_URIS = 1_000;
/** How long a server may take to grant what a client listens for, in milliseconds. */
const LONGEST_SUBSCRIBE = 5_000;

export class Listening {
  readonly #subscriptions: Subscriptions;
  readonly #ports: WaitPorts;
  readonly #granted = new Set<string>();
  #isSettled = false;

  constructor(subscriptions: Subscriptions, ports: WaitPorts) {
    this.#subscriptions = subscriptions;
    this.#ports = ports;
  }

  /** Those of `uris` that the server grants; an answer that does not come in time is a no. */
  async begin(uris: readonly string[]): Promise<readonly string[]> {
    await settleWithin(this.#subscribe(uris), LONGEST_SUBSCRIBE, this.#ports);
    return this.#settle();
  }

  end(): void {
    for (const uri of this.#settle()) this.#subscriptions.remove(uri);
    this.#granted.clear();
  }

  /** In the handshake era each is a request of its own. */
  async #subscribe(uris: readonly string[]): Promise<void> {
    for (const uri of new Set(uris)) {
      if (this.#isSettled) break;
      if (!(await this.#subscriptions.add(uri))) continue;
      // Granted too late, when nobody is told of it any more.
      if (this.#isSettled) this.#subscriptions.remove(uri);
      else this.#granted.add(uri);
    }
  }

  /** From now on no more is granted. Gives what the server has granted. */
  #settle(): readonly string[] {
    this.#isSettled = true;
    return [...this.#granted];
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
