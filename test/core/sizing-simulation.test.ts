/**
 * Sizes against simulated pools. The seeds are fixed, so that every run is the same one; a prediction that is off by a
 * twentieth of the share is outside of the intervals.
 */
import { type PoolInput, type PoolSize, sizeWorkerPool } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { type DrawHold, drawExponential, drawLognormal, type Interval, simulatePool } from './pool-simulation.ts';

const MINUTE = 60_000;
/** Lognormal with mu = ln 10 s and sigma = 1: its mean and 95 % quantile by the textbook. */
const LOGNORMAL = { mean: 10_000 * Math.exp(0.5), p95: 10_000 * Math.exp(1.6448536269514722) };

type Case = readonly [what: string, input: Omit<PoolInput, 'target'>, draw: DrawHold];

const exponential = (mean: number) => ({ mean, shape: 'exponential' as const });
const cut =
  (draw: DrawHold, limit: number): DrawHold =>
  (random) =>
    Math.min(draw(random), limit);

const CASES: readonly Case[] = [
  [
    'exponential',
    { callsPerSecond: 0.5, rounds: 1, answerTime: exponential(20_000), roundTimeout: 60 * MINUTE },
    drawExponential(20_000),
  ],
  [
    'lognormal',
    { callsPerSecond: 0.6, rounds: 1, answerTime: { ...LOGNORMAL, shape: 'lognormal' }, roundTimeout: 60 * MINUTE },
    drawLognormal(Math.log(10_000), 1),
  ],
  [
    'exponential, cut off',
    { callsPerSecond: 0.7, rounds: 1, answerTime: exponential(30_000), roundTimeout: 20_000 },
    cut(drawExponential(30_000), 20_000),
  ],
  [
    'lognormal, cut off, three rounds',
    { callsPerSecond: 0.3, rounds: 3, answerTime: { ...LOGNORMAL, shape: 'lognormal' }, roundTimeout: 15_000 },
    rounds(3, cut(drawLognormal(Math.log(10_000), 1), 15_000)),
  ],
  [
    'one round or two',
    { callsPerSecond: 0.4, rounds: 1.5, answerTime: exponential(20_000), roundTimeout: MINUTE },
    (random) => rounds(random() < 0.5 ? 1 : 2, cut(drawExponential(20_000), MINUTE))(random),
  ],
  [
    'three rounds, of which the first that is cut off is the last',
    { callsPerSecond: 0.4, rounds: 1 + kept(1) + kept(2), answerTime: exponential(20_000), roundTimeout: 20_000 },
    untilCut(3, drawExponential(20_000), 20_000),
  ],
  [
    'as measured: evenly from 5 s to 25 s, cut off',
    {
      callsPerSecond: 0.7,
      rounds: 1,
      answerTime: {
        histogram: {
          count: 1_000,
          mean: 15_000,
          min: 5_000,
          max: 25_000,
          quantiles: Array.from({ length: 201 }, (_, index) => 5_000 + 100 * index),
        },
      },
      roundTimeout: 20_000,
    },
    (random) => Math.min(5_000 + 20_000 * random(), 20_000),
  ],
];
const SEEDS = [1, 2, 3];

/** The share of calls of which `count` rounds were not cut off: exponential, cut off at the mean. */
function kept(count: number): number {
  return (1 - Math.exp(-1)) ** count;
}

function rounds(count: number, draw: DrawHold): DrawHold {
  return (random) => Array.from({ length: count }, () => draw(random)).reduce((sum, time) => sum + time, 0);
}

function untilCut(count: number, draw: DrawHold, limit: number): DrawHold {
  return (random) => {
    let sum = 0;
    for (let round = 0; round < count; round += 1) {
      const time = draw(random);
      if (time >= limit) return sum + limit;
      sum += time;
    }
    return sum;
  };
}

function expectWithin({ middle, half }: Interval, predicted: number): void {
  // An interval as wide as the share itself would say nothing.
  expect(half).toBeLessThan(middle / 10);
  expect(Math.abs(predicted - middle)).toBeLessThan(half);
}

describe.each(CASES)('holds that are %s', (_what, input, drawHold) => {
  it.each(SEEDS)('are refused, and last, as predicted: seed %i', (seed) => {
    const size: PoolSize = sizeWorkerPool({ ...input, target: { refused: 0.05 } });
    const play = { slots: size.slots, callsPerSecond: input.callsPerSecond, drawHold, seed };
    const { blocked, hold } = simulatePool({ ...play, canWait: false });
    expectWithin(blocked, size.refused ?? Number.NaN);
    expectWithin(hold, size.meanHold);
  });
});

describe('calls that may wait', () => {
  const delayedOf = ([, input, drawHold]: Case, seed: number) => {
    const size = sizeWorkerPool({ ...input, target: { delayed: 0.2 } });
    const play = { slots: size.slots, callsPerSecond: input.callsPerSecond, drawHold, seed };
    return { blocked: simulatePool({ ...play, canWait: true }).blocked, predicted: size.delayed ?? Number.NaN };
  };

  it.each([11, 12, 13, 14])('have to as often as predicted, where holds are exponential: seed %i', (seed) => {
    const { blocked, predicted } = delayedOf(CASES[0] as Case, seed);
    expectWithin(blocked, predicted);
  });

  it.each(CASES.slice(1))('have to nearly as often as predicted, where holds are %s', (...entry) => {
    const { blocked, predicted } = delayedOf(entry, 11);
    expect(Math.abs(predicted - blocked.middle)).toBeLessThan(predicted / 10);
  });
});
