/** A request that an SDK v1 instance is working on for a modern client. */
import type { JsonRpcAnswer, JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { SeenClient } from './client-of-run.ts';
import type { Ledger } from './ledger.ts';
import type { ModernRequest } from './modern-request.ts';
import type { SealedOnce } from './sealed-once.ts';
import type { Suspension } from './suspension.ts';
import { isGone, isWanted } from './told-to-client.ts';

export interface RunOptions {
  readonly ledger?: Ledger | undefined;
  readonly once?: SealedOnce | undefined;
}

export class RunningCall {
  readonly request: ModernRequest;
  /** The id under which SDK v1 knows it. */
  readonly id: RequestId;
  /** Settles with SDK v1's answer; rejects when the call is ended from outside. */
  readonly answered: Promise<JsonRpcAnswer>;
  #settle: ((answer: JsonRpcAnswer) => void) | undefined;
  #reject: ((reason: Error) => void) | undefined;
  #outbox: Promise<void> | undefined;
  readonly #run: RunOptions;
  /** Whom it serves, as SDK v1 knows them; undefined where the instance serves nobody else. */
  readonly client: SeenClient | undefined;
  #hasEnded = false;
  /** Present once it has ended with its open questions. */
  suspension: Suspension | undefined;

  constructor(request: ModernRequest, id: RequestId, run: RunOptions, client: SeenClient | undefined) {
    this.request = request;
    this.id = id;
    this.#run = run;
    this.client = client;
    this.answered = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
  }

  /** What it asks in mid-body; undefined where it must not. */
  get ledger(): Ledger | undefined {
    return this.#run.ledger;
  }

  get once(): SealedOnce | undefined {
    return this.#run.once;
  }

  get isOver(): boolean {
    return this.#settle === undefined;
  }

  answer(answer: JsonRpcAnswer): void {
    this.#settle?.(answer);
    this.#settle = undefined;
    this.#reject = undefined;
  }

  /** Ends it without an answer of SDK v1's: from now on nothing of its run reaches the client. */
  end(reason: Error): void {
    this.#hasEnded = true;
    this.#reject?.(reason);
    this.#settle = undefined;
    this.#reject = undefined;
  }

  /**
   * Sends a notification of the run, after those before it. SDK v1 does not wait for notifications that its handler does
   * not await, so the result has to wait for `flushed` instead.
   */
  notify(given: JsonRpcNotification): Promise<void> {
    const { method, params } = given;
    if (isGone(method)) return Promise.resolve();
    this.suspension?.noteAct();
    if (this.isOver || !isWanted(given, this.request.logLevel)) return Promise.resolve();
    const notification = params === undefined ? { method } : { method, params };
    const before = this.#outbox ?? Promise.resolve();
    const sent = before.then(() => this.#send(notification));
    this.#outbox = sent.catch(() => undefined);
    return sent;
  }

  async #send(notification: Omit<JsonRpcNotification, 'jsonrpc'>): Promise<void> {
    if (this.#hasEnded) return;
    try {
      await this.request.notify(notification);
    } catch (error) {
      // Nobody is left to be told.
      if (!this.#hasEnded) throw error;
    }
  }

  /** Settles when every notification so far has been sent. */
  get flushed(): Promise<void> | undefined {
    return this.#outbox;
  }
}
