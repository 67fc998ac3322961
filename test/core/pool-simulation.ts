/** A pool of slots in simulated time: calls arrive, hold a slot, and go. Nothing here knows a formula. */
import { seededRandom } from '../support/random.ts';

/** Draws the holds of one call after the other, from numbers that are uniform from 0 up to 1. */
export type DrawHold = (random: () => number) => number;

export interface PoolPlay {
  readonly slots: number;
  readonly callsPerSecond: number;
  readonly drawHold: DrawHold;
  readonly seed: number;
  /** Whether calls that find every slot taken wait for one, in the order they came, or are refused. */
  readonly canWait: boolean;
}

/** The middle and half the width of a confidence interval of 99.9 %. */
export interface Interval {
  readonly middle: number;
  readonly half: number;
}

const BATCHES = 30;
const CALLS_PER_BATCH = 20_000;
/** Two-sided 99.9 % quantile of Student's distribution with 29 degrees of freedom. */
const STUDENT = 3.659;

/** The share of calls that found every slot taken, and the holds of those that got one. Times in milliseconds. */
export function simulatePool(play: PoolPlay): { readonly blocked: Interval; readonly hold: Interval } {
  const random = seededRandom(play.seed);
  /** When each slot is free again. */
  const freeAt = new Float64Array(play.slots);
  const blocked: number[] = [];
  const holds: number[] = [];
  let now = 0;
  // The first batch fills the pool, and does not count.
  for (let batch = 0; batch <= BATCHES; batch += 1) {
    let [full, held] = [0, 0];
    for (let call = 0; call < CALLS_PER_BATCH; call += 1) {
      now -= (1_000 / play.callsPerSecond) * Math.log(1 - random());
      let slot = 0;
      for (let other = 1; other < play.slots; other += 1) {
        if ((freeAt[other] ?? 0) < (freeAt[slot] ?? 0)) slot = other;
      }
      const free = freeAt[slot] ?? 0;
      const hold = play.drawHold(random);
      held += hold;
      if (free > now) full += 1;
      if (free <= now || play.canWait) freeAt[slot] = Math.max(now, free) + hold;
    }
    if (batch === 0) continue;
    blocked.push(full / CALLS_PER_BATCH);
    holds.push(held / CALLS_PER_BATCH);
  }
  return { blocked: intervalOf(blocked), hold: intervalOf(holds) };
}

/** By batch means. */
function intervalOf(batches: readonly number[]): Interval {
  const middle = batches.reduce((sum, value) => sum + value, 0) / batches.length;
  const variance = batches.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (batches.length - 1);
  return { middle, half: STUDENT * Math.sqrt(variance / batches.length) };
}

export function drawExponential(mean: number): DrawHold {
  return (random) => -mean * Math.log(1 - random());
}

/** Lognormal by the parameters of its logarithm, with Box and Muller's normal numbers. */
export function drawLognormal(mu: number, sigma: number): DrawHold {
  return (random) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(mu + sigma * normal);
  };
}
