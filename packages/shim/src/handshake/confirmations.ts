/** What was confirmed in a call, and which confirmations its last round asked. */
import { isSameJson } from '../core/json.ts';
import type { Confirmations, Decision } from '../core/retry-record.ts';
import type { Asking } from './asking.ts';
import type { RoundAnswers } from './round-answers.ts';

/** For one run: decisions are those of the whole call, questions those of the round before the run. */
export class RunConfirmations implements Confirmations {
  readonly #asking: Asking;
  readonly #round: RoundAnswers | undefined;

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#round = asking.answers;
  }

  wasAsked(key: string, params: object): boolean {
    return isSameJson(this.#round?.questionUnder(key)?.params, params);
  }

  decided(key: string, params: object): Decision | undefined {
    const earlier = this.#asking.decisions?.find((each) => each.key === key && isSameJson(each.params, params));
    return earlier?.decision;
  }

  decide(key: string, params: object, decision: Decision): void {
    this.#asking.decisions ??= [];
    this.#asking.decisions.push({ key, params, decision });
  }
}
