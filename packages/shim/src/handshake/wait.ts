/** The waits of a held call, the round itself aside. Each can be cut off, and then leaves nothing behind. */
import type { Options } from 'p-timeout';
import type { Clock } from '../core/options.ts';
import type { Asking } from './asking.ts';

/** `clock` as p-timeout takes it: its types ask for the platform's own functions, of which it uses these two. */
export function timersOf(clock: Clock): NonNullable<Options<unknown>['customTimers']> {
  return clock as unknown as NonNullable<Options<unknown>['customTimers']>;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 250;

/** Waits before a run that has only a state: 50 ms, doubling to 250. Ends early when it is stopped. */
export function pause(asking: Asking, clock: Clock): Promise<void> {
  const ms = Math.min(FIRST_PAUSE * 2 ** asking.pauses, LONGEST_PAUSE);
  asking.pauses += 1;
  return cuttable(asking, (resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    return () => clock.clearTimeout(timer);
  });
}

/**
 * Waits one turn of the event loop. SDK v1 before 1.28 forgets the abort controller of a request by its id after it was
 * answered: a run delivered in the same turn could not be cancelled.
 */
export function nextTurn(asking: Asking, turn: NextTurn): Promise<void> {
  return cuttable(asking, (resolve) => turn.add(resolve));
}

/** The turn after this one, for all the calls of a connection that wait for it: they run together, which is faster. */
export class NextTurn {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #immediate: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `run` in the next turn, unless the returned function is called before. */
  add(run: () => void): () => void {
    if (this.#waiting.size === 0) this.#immediate = this.#clock.setImmediate(() => this.#run());
    this.#waiting.add(run);
    return () => {
      this.#waiting.delete(run);
      if (this.#waiting.size === 0) this.#clock.clearImmediate(this.#immediate);
    };
  }

  #run(): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const run of due) run();
  }
}

function cuttable(asking: Asking, start: (resolve: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = start(() => {
      asking.stopWaiting = undefined;
      resolve();
    });
    asking.stopWaiting = () => {
      asking.stopWaiting = undefined;
      stop();
      resolve();
    };
  });
}
