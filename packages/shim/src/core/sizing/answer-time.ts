/** How long people take to answer, by a mean and a shape, or as measured; and what is left of it with a limit. */
import { integer, object, oneOf, wrongType } from '../option-checks.ts';
import type { TimeDistribution } from '../time-distribution.ts';
import { normalCdf } from './normal.ts';
import { LONGEST_TIME, numberThat, positive } from './number-check.ts';

/** How long the answers of one round take, all together, in milliseconds. */
export type AnswerTime =
  | { readonly mean: number; readonly shape: 'exponential' }
  /** `p95`: 95 % of the rounds take at most so long. Above the mean, and at most 3.868 times it. */
  | { readonly mean: number; readonly p95: number; readonly shape: 'lognormal' }
  /** As measured: `answerTimes` of `holds.stats()`. */
  | { readonly histogram: TimeDistribution };

export interface AnswerModel {
  /** The mean of min(time, limit). */
  cutMean(limit: number): number;
  /** The share of times beyond the limit. */
  shareBeyond(limit: number): number;
}

/** The 95 % quantile of the standard normal distribution. */
const Z95 = 1.6448536269514722;
/** No lognormal distribution has its 95 % quantile above so many means. */
const HIGHEST_P95 = Math.exp(Z95 ** 2 / 2);
const QUANTILES = 201;

/** @throws TypeError or RangeError for what is no `AnswerTime`; the message ends `, got X`. */
export function readAnswerTime(given: unknown): AnswerModel {
  object('answerTime', given);
  const { mean, p95, shape, histogram } = given as {
    readonly [Name in 'mean' | 'p95' | 'shape' | 'histogram']?: unknown;
  };
  if (histogram !== undefined) {
    refuseBeside('histogram', { mean, p95, shape });
    return measured(histogram);
  }
  const known = oneOf('answerTime.shape', shape, ['exponential', 'lognormal']);
  const checked = positive('answerTime.mean', mean, LONGEST_TIME);
  if (known === 'lognormal') return lognormal(checked, p95);
  refuseBeside("the shape 'exponential'", { p95 });
  return exponential(checked);
}

/** What would be passed over in silence is a mistake: the caller believes that it counts. */
function refuseBeside(other: string, members: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) throw wrongType(`answerTime.${name}`, `left out beside ${other}`, value);
  }
}

function exponential(mean: number): AnswerModel {
  return {
    cutMean: (limit) => -mean * Math.expm1(-limit / mean),
    shareBeyond: (limit) => Math.exp(-limit / mean),
  };
}

function lognormal(mean: number, given: unknown): AnswerModel {
  const highest = mean * HIGHEST_P95;
  const p95 = numberThat('answerTime.p95', given, {
    wanted: `above answerTime.mean (${mean} ms) and at most 3.868 times it (${Math.floor(highest)} ms)`,
    isAllowed: (value) => value > mean && value <= highest,
  });
  // ln(p95 / mean) = z sigma - sigma^2 / 2: the smaller root, in the form that subtracts nothing.
  const log = Math.log(p95 / mean);
  const sigma = (2 * log) / (Z95 + Math.sqrt(Math.max(0, Z95 ** 2 - 2 * log)));
  const mu = Math.log(mean) - sigma ** 2 / 2;
  const shareBeyond = (limit: number): number => normalCdf((mu - Math.log(limit)) / sigma);
  return {
    shareBeyond,
    cutMean: (limit) => mean * normalCdf((Math.log(limit) - mu - sigma ** 2) / sigma) + limit * shareBeyond(limit),
  };
}

/** Times as measured: the quantile function is taken as straight between two of the quantiles. */
function measured(given: unknown): AnswerModel {
  const quantiles = readQuantiles(given);
  // The mean over all steps of what `step` makes of a step and of its share within the limit.
  const meanOver = (limit: number, step: (within: number, low: number, high: number) => number): number => {
    const values = quantiles.slice(1).map((high, index) => {
      const low = quantiles[index] ?? high;
      return step(high <= limit ? 1 : Math.max(0, (limit - low) / (high - low)), low, high);
    });
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    cutMean: (limit) =>
      meanOver(limit, (within, low, high) => (within * (low + Math.min(high, limit))) / 2 + (1 - within) * limit),
    shareBeyond: (limit) => meanOver(limit, (within) => 1 - within),
  };
}

function readQuantiles(given: unknown): readonly number[] {
  const name = 'answerTime.histogram';
  object(name, given);
  const { count, quantiles, ...others } = given as { readonly [Name in keyof TimeDistribution]?: unknown };
  if (count === 0) throw new RangeError(`${name}.count must be 1 or more (nothing has been measured yet), got 0`);
  integer(`${name}.count`, count);
  for (const member of ['mean', 'min', 'max'] as const) time(`${name}.${member}`, others[member]);
  if (!Array.isArray(quantiles)) throw wrongType(`${name}.quantiles`, 'an array', quantiles);
  if (quantiles.length !== QUANTILES) {
    throw new RangeError(`${name}.quantiles must have ${QUANTILES} values, got ${quantiles.length}`);
  }
  let lowest = 0;
  return Array.from(quantiles, (value: unknown, index) => {
    lowest = time(`${name}.quantiles[${index}]`, value, lowest);
    return lowest;
  });
}

function time(name: string, value: unknown, lowest = 0): number {
  return numberThat(name, value, {
    wanted: `a number from ${lowest} to ${LONGEST_TIME}`,
    isAllowed: (number) => number >= lowest && number <= LONGEST_TIME,
  });
}
