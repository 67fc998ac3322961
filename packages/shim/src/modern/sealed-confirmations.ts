/** The confirmations of one run on the modern leg: what a verified state says was asked, and what this run asks. */
import type { CheckedRequest } from '../core/check-ask.ts';
import { isSameJson } from '../core/json.ts';
import type { Confirmations, Decision } from '../core/retry-record.ts';
import { digestOf } from '../state/digest.ts';
import type { SealedRecord } from './sealed-record.ts';

export class SealedConfirmations implements Confirmations {
  readonly #asked: ReadonlyMap<string, string> | undefined;
  readonly #decided: Map<string, Decision>;
  readonly #willAsk = new Map<string, object>();

  /** @param sealed - undefined where no state came, so that no answer is one to a confirmation. */
  constructor(sealed: SealedRecord | undefined) {
    this.#asked = sealed?.asked;
    this.#decided = new Map(sealed?.decided);
  }

  wasAsked(key: string, params: object): boolean {
    return this.#asked?.get(key) === digestOf([key, params]);
  }

  decided(key: string, params: object): Decision | undefined {
    return this.#decided.size === 0 ? undefined : this.#decided.get(digestOf([key, params]));
  }

  decide(key: string, params: object, decision: Decision): void {
    this.#decided.set(digestOf([key, params]), decision);
  }

  willAsk(key: string, params: object): void {
    this.#willAsk.set(key, params);
  }

  /** What has to be sealed for the same run again: it is to read its answers as it did. */
  get record(): Pick<SealedRecord, 'asked' | 'decided'> {
    return { asked: this.#asked ?? new Map(), decided: this.#decided };
  }

  /** What has to be sealed with an ask of `requests`: the confirmations that are really among them. */
  recordOf(requests: readonly CheckedRequest[]): Pick<SealedRecord, 'asked' | 'decided'> {
    const asked = new Map<string, string>();
    for (const { key, params } of requests) {
      const confirmed = this.#willAsk.get(key);
      if (confirmed !== undefined && isSameJson(confirmed, params)) asked.set(key, digestOf([key, confirmed]));
    }
    return { asked, decided: this.#decided };
  }
}
