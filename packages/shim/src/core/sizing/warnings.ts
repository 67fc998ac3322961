/** What a size alone does not show: limits that cannot work together. */

export interface PoolFacts {
  readonly slots: number;
  readonly offeredLoad: number;
  readonly worstCaseHold: number;
  readonly requestLimit: number | undefined;
  readonly roundTimeout: number;
  /** The share of rounds that take longer than `roundTimeout`. */
  readonly cutOff: number;
}

/** From here on, cut-off rounds are worth a word. */
const NOTABLE_SHARE = 0.01;

/** Short sentences, times in milliseconds. */
export function poolWarnings(facts: PoolFacts): string[] {
  const { slots, offeredLoad, worstCaseHold, requestLimit, roundTimeout, cutOff } = facts;
  const warnings: string[] = [];
  if (requestLimit !== undefined && worstCaseHold > requestLimit) {
    warnings.push(
      `The worst-case hold (maxRounds x roundTimeout, ${worstCaseHold} ms) is above requestLimit (${requestLimit} ms): it may be cut off.`,
    );
  }
  if (slots < offeredLoad) {
    warnings.push(`The pool (${slots}) is below the offered load (${rounded(offeredLoad)}).`);
  }
  if (cutOff >= NOTABLE_SHARE) {
    warnings.push(
      `${rounded(100 * cutOff)} % of rounds take longer than roundTimeout (${roundTimeout} ms), and end their call.`,
    );
  }
  return warnings;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
