/** How long something took, as measured. */

/** A measured distribution of times, in milliseconds. */
export interface TimeDistribution {
  /** How many times were measured. All that follows is 0 where it is 0. */
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** 201 ascending values: the quantiles at 0 %, 0.5 %, 1 % and so on up to 100 %. */
  readonly quantiles: readonly number[];
}
