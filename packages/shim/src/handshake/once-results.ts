/** The results of side effects of one call, kept in this process for as long as the call. */
import type { OnceResults } from '../core/retry-record.ts';
import type { Call } from './call.ts';

export class CallOnce implements OnceResults {
  readonly #call: Call;
  readonly running: Map<string, Promise<string>> = new Map();

  constructor(call: Call) {
    this.#call = call;
  }

  get(key: string): string | undefined {
    return this.#call.once?.get(key);
  }

  set(key: string, result: string): void {
    this.#call.once ??= new Map();
    this.#call.once.set(key, result);
  }
}
