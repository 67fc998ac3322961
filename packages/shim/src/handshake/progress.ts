/** Keeps the progress of a call rising over all runs of its handler, and keeps a waiting caller alive. */
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';

const WAITING = 'Waiting for an answer';
const STEP = 1e-6;

/** The progress of one call, under its caller's token (spec: basic/utilities/progress, values must increase). */
export class CallProgress {
  readonly token: RequestId;
  #last: number | undefined;
  #total: unknown;

  constructor(token: RequestId) {
    this.token = token;
  }

  /** `notification` with a progress above the last one sent; its other members are kept. */
  rise(notification: JsonRpcNotification): JsonRpcNotification {
    const { params } = notification;
    const value = params?.['progress'];
    if (params === undefined || typeof value !== 'number') return notification;
    this.#total = params['total'];
    if (this.#last === undefined || value > this.#last) {
      this.#last = value;
      return notification;
    }
    return { ...notification, params: { ...params, progress: this.#step() } };
  }

  /** The next heartbeat. */
  beat(): JsonRpcNotification {
    const progress = this.#step();
    const total = this.#total === undefined ? {} : { total: this.#total };
    const params = { progressToken: this.token, progress, ...total, message: WAITING };
    return { jsonrpc: '2.0', method: 'notifications/progress', params };
  }

  #step(): number {
    const last = this.#last;
    this.#last = last === undefined ? 0 : last + STEP * Math.max(1, Math.abs(last));
    return this.#last;
  }
}

/** Beats every `interval` ms, until the returned function is called. The first beat is the caller's. */
export function startHeartbeat(beat: () => void, interval: number, clock: Clock): () => void {
  const tick = (): void => {
    timer = clock.setTimeout(tick, interval);
    beat();
  };
  let timer = clock.setTimeout(tick, interval);
  return () => clock.clearTimeout(timer);
}
