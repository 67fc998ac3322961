/**
 * The end of a run that asked in mid-body something nobody has answered: its request ends as an ask, and whatever the run
 * still does stays without effect on the client.
 */
import { DualEraError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonRpcAnswer, JsonRpcError } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';

const REASON = 'mcp-dual-era/suspended';
const MESSAGE =
  'Suspended: the question goes to the client, and the handler runs again from the top with its answer. ' +
  'Let this error pass; clean up in finally.';

/** What SDK v1 is given as the answer to a question that is still open. */
export const SUSPENDED: JsonRpcError = { code: -32000, message: MESSAGE, data: { reason: REASON } };

export function suspendedError(cause?: unknown): DualEraError {
  return new DualEraError('SUSPENDED', MESSAGE, { cause });
}

/** Whether `error` is what SDK v1 makes of {@link SUSPENDED}. */
export function isSuspended(error: unknown): boolean {
  return isJsonObject(error) && isJsonObject(error['data']) && error['data']['reason'] === REASON;
}

export interface SuspensionOptions {
  readonly clock: Clock;
  /** Whether the open questions were rejected, so that the run is to end at once. */
  readonly isRejected: boolean;
  /** The run did something after it was suspended. */
  readonly onContinued: () => void;
  /** Has the run's signal aborted. */
  readonly abort: () => void;
}

export class Suspension {
  readonly #options: SuspensionOptions;
  #hasEnded = false;
  #hasContinued = false;
  /** Settles when the run has been given its chance to end, and its signal is aborted. */
  readonly over: Promise<void>;

  constructor(options: SuspensionOptions) {
    this.#options = options;
    this.over = new Promise((resolve) => {
      // A turn later: a handler that lets the error pass has ended by then, also through a finally.
      options.clock.setImmediate(() => {
        if (options.isRejected && !this.#hasEnded) this.noteAct();
        options.abort();
        resolve();
      });
    });
  }

  /** The run has ended with `answer`, which nobody gets. */
  noteAnswer(answer: JsonRpcAnswer): void {
    this.#hasEnded = true;
    // An error of any kind says that the run went no further.
    if (answer.result !== undefined && answer.result['isError'] !== true) this.noteAct();
  }

  /** The run did something that it would not have done, had it ended. Told once; true the first time. */
  noteAct(): boolean {
    if (this.#hasContinued) return false;
    this.#hasContinued = true;
    this.#options.onContinued();
    return true;
  }
}
