import type { Clock } from 'mcp-dual-era';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** A clock that stands still until `advance`. Immediates are real turns of the event loop, but counted. */
export class ManualClock implements Clock {
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

  /** Moves time on, running what comes due in order, each in its turn of the event loop. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#timers].sort((left, right) => left.due - right.due)[0];
      if (next === undefined || next.due > until) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
      await settle();
    }
    this.#now = until;
  }
}

/** Lets everything that can happen without time passing happen. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
