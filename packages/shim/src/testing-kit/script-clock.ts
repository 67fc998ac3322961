/**
 * A clock that stands still until the script moves it. Each run has its own, handed on through the ports, so that nothing
 * global is touched and runs beside each other are not disturbed.
 */
import type { Clock } from '../core/options.ts';

// As they are when this is loaded: fake timers of a test runner, which replace them, would stop the kit.
const { setImmediate, clearImmediate } = globalThis;

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

export class ScriptClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();
  readonly #immediates = new Set<NodeJS.Immediate>();

  /** Timers and immediates that have neither run nor been cleared. */
  get pending(): number {
    return this.#timers.size + this.#immediates.size;
  }

  readonly now = (): number => this.#now;

  readonly setTimeout = (run: () => void, ms: number): Timer => {
    const timer = { due: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  // Turns of the event loop take no time: they are real ones.
  readonly setImmediate = (run: () => void): NodeJS.Immediate => {
    const immediate = setImmediate(() => {
      this.#immediates.delete(immediate);
      run();
    });
    this.#immediates.add(immediate);
    return immediate;
  };

  readonly clearImmediate = (immediate: unknown): void => {
    this.#immediates.delete(immediate as NodeJS.Immediate);
    clearImmediate(immediate as NodeJS.Immediate);
  };

  /** Moves time on by `ms`, running what comes due in order, each in its turn of the event loop. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    while (await this.#runNext(until));
    this.#now = until;
  }

  /** Moves on to the timer that comes due next. False when there is none. */
  async advanceToNext(): Promise<boolean> {
    await settle();
    return this.#runNext(Number.POSITIVE_INFINITY);
  }

  async #runNext(until: number): Promise<boolean> {
    const [next] = [...this.#timers].sort((left, right) => left.due - right.due);
    if (next === undefined || next.due > until) return false;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.due);
    next.run();
    await settle();
    return true;
  }
}

/** Lets everything that can happen without time passing happen. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
