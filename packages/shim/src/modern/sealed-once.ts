/** The results of side effects of one call, which travel in the sealed state. */
import type { OnceResults } from '../core/retry-record.ts';

export class SealedOnce implements OnceResults {
  readonly results: Map<string, string>;
  readonly running: Map<string, Promise<string>> = new Map();
  #block: (() => Promise<never>) | undefined;

  constructor(results: ReadonlyMap<string, string> | undefined) {
    this.results = new Map(results);
  }

  get(key: string): string | undefined {
    return this.results.get(key);
  }

  set(key: string, result: string): void {
    this.results.set(key, result);
  }

  blocked(): Promise<never> | undefined {
    return this.#block?.();
  }

  /** From now on no effect begins: its result could not be sealed any more. */
  close(block: () => Promise<never>): void {
    this.#block = block;
  }

  /** Settles when no effect is under way. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running.values());
  }
}
