/** The side effects of one call, kept in this process for as long as the call. */
import type { OnceResults } from '../core/retry-record.ts';

/** One for all runs: an effect that the run before has begun may still be under way. Most calls have none. */
export class CallOnce implements OnceResults {
  #results: Map<string, string> | undefined;
  #running: Map<string, Promise<string>> | undefined;

  get running(): Map<string, Promise<string>> {
    this.#running ??= new Map();
    return this.#running;
  }

  get(key: string): string | undefined {
    return this.#results?.get(key);
  }

  set(key: string, result: string): void {
    this.#results ??= new Map();
    this.#results.set(key, result);
  }
}
