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

/** What SDK v1 is given as the answer to a question whose run ends before it has one. */
export const UNANSWERED: JsonRpcError = { code: -32000, message: MESSAGE, data: { reason: REASON } };

/** Whether `error` is what SDK v1 makes of {@link UNANSWERED}. */
export function isUnanswered(error: unknown): boolean {
  const data = isJsonObject(error) ? error['data'] : undefined;
  return isJsonObject(data) && data['reason'] === REASON;
}

export function suspendedError(cause?: unknown): DualEraError {
  return new DualEraError('SUSPENDED', MESSAGE, { cause });
}

export interface SuspensionOptions {
  readonly clock: Clock;
  /** Whether the open questions were rejected, so that the run is to end at once. */
  readonly isRejected: boolean;
  /** The run did something after it was suspended. */
  readonly onContinued: () => void;
  /**
   * Has the run's signal aborted: once a run that lets the error pass has ended, which SDK v1 does not tell afterwards, and
   * before the event loop turns, so that nothing another run has begun gets any further.
   */
  readonly abort: () => void;
  readonly onOver: () => void;
}

const HOPS = 64;

async function afterMicrotasks(): Promise<void> {
  for (let hop = 0; hop < HOPS; hop += 1) await undefined;
}

export class Suspension {
  readonly #options: SuspensionOptions;
  #hasEnded = false;
  #hasContinued = false;
  /** Settles a turn after the suspension. */
  readonly over: Promise<void>;

  constructor(options: SuspensionOptions) {
    this.#options = options;
    void afterMicrotasks().then(options.abort);
    this.over = new Promise((resolve) => {
      options.clock.setImmediate(() => {
        // It can no longer be seen to end, so it counts as going on: also where it is only cleaning up.
        if (options.isRejected && !this.#hasEnded) this.noteAct();
        options.onOver();
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
