import { type PoolInput, type PoolSize, sizeWorkerPool, type TimeDistribution } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

const exponential = (mean: number) => ({ mean, shape: 'exponential' as const });
const INPUT: PoolInput = {
  callsPerSecond: 2,
  rounds: 2,
  answerTime: exponential(20_000),
  roundTimeout: 120_000,
  maxRounds: 8,
  target: { refused: 0.01 },
};
const size = (changed: Partial<PoolInput> = {}): PoolSize => sizeWorkerPool({ ...INPUT, ...changed });

/** Times between `low` and `high` that are all as likely. */
function evenly(low: number, high: number): TimeDistribution {
  const quantiles = Array.from({ length: 201 }, (_, index) => low + ((high - low) * index) / 200);
  return { count: 10, mean: (low + high) / 2, min: low, max: high, quantiles };
}

describe('sizeWorkerPool', () => {
  it('tells the slots for a share of refused calls, and what they come from', () => {
    const hold = 40_000 * (1 - Math.exp(-6));
    const { refused = 1, ...figures } = size();
    expect(figures).toStrictEqual({
      slots: 96,
      meanHold: expect.closeTo(hold, 6),
      worstCaseHold: 960_000,
      offeredLoad: expect.closeTo((2 * hold) / 1_000, 9),
      sensitivity: { load: 117, answerTime: 172 },
      warnings: [],
    });
    expect(refused).toBeCloseTo(0.009001, 6);
  });

  it('tells the slots for a share of delayed calls, which are more', () => {
    const { slots, delayed = 1, ...others } = size({ target: { delayed: 0.01 } });
    expect(slots).toBe(103);
    expect(delayed).toBeGreaterThan(0.005);
    expect(delayed).toBeLessThanOrEqual(0.01);
    expect(others).not.toHaveProperty('refused');
  });

  it('has the defaults of the shim', () => {
    const { worstCaseHold } = size({ roundTimeout: undefined, maxRounds: undefined });
    expect(worstCaseHold).toBe(8 * 600_000);
  });

  it('sizes for more calls, and for slower people, as if it were asked for them', () => {
    const { sensitivity } = size();
    expect(sensitivity.load).toBe(size({ callsPerSecond: 2.5 }).slots);
    expect(sensitivity.answerTime).toBe(size({ answerTime: exponential(40_000) }).slots);
  });

  it.each<[string, PoolInput['answerTime'], PoolInput['answerTime']]>([
    ['exponential', exponential(60_000), exponential(120_000)],
    [
      'lognormal',
      { mean: 60_000, p95: 150_000, shape: 'lognormal' },
      { mean: 120_000, p95: 300_000, shape: 'lognormal' },
    ],
    ['measured', { histogram: evenly(0, 150_000) }, { histogram: evenly(0, 300_000) }],
  ])('has no round of slower people last longer than roundTimeout: %s', (_shape, answerTime, doubled) => {
    const slower = size({ answerTime: doubled });
    expect(size({ answerTime }).sensitivity.answerTime).toBe(slower.slots);
    expect(slower.meanHold).toBeLessThan(2 * 120_000);
  });

  it('takes a mean of rounds that is no integer', () => {
    expect(size({ rounds: 1.5 }).meanHold).toBeCloseTo(0.75 * size().meanHold, 6);
  });

  it('has the mean and the 95 % quantile that a lognormal time was given by', () => {
    const answerTime = { mean: 20_000, p95: 50_000, shape: 'lognormal' } as const;
    expect(size({ answerTime, rounds: 1, roundTimeout: 2 ** 31 - 1 }).meanHold).toBeCloseTo(20_000, 4);
    expect(size({ answerTime, roundTimeout: 50_000 }).warnings).toStrictEqual([
      '5 % of rounds take longer than roundTimeout (50000 ms), and end their call.',
    ]);
  });

  it('cuts a lognormal time off as its integral does', () => {
    // Lognormal with sigma 1: mu, and with it the mean and the quantile, by the textbook.
    const answerTime = {
      mean: Math.exp(0.5) * 1_000,
      p95: Math.exp(1.6448536269514722) * 1_000,
      shape: 'lognormal',
    } as const;
    // The mean of min(e^z, 2) x 1000 over the normal density of z, summed in small steps.
    let sum = 0;
    for (let z = -9.9995; z < 10; z += 0.001) {
      sum += Math.min(1_000 * Math.exp(z), 2_000) * Math.exp(-(z * z) / 2) * 0.001;
    }
    const { meanHold } = size({ answerTime, rounds: 1, roundTimeout: 2_000 });
    expect(meanHold).toBeCloseTo(sum / Math.sqrt(2 * Math.PI), 3);
  });

  it.each([
    // Within the limit; half of the times cut off, in the middle of a step and at the end of one; all of them.
    [evenly(0, 20_000), 20_000, 10_000],
    [evenly(0, 20_000), 10_050, 0.5025 * 5_025 + 0.4975 * 10_050],
    [evenly(0, 20_000), 10_000, 7_500],
    [evenly(5_000, 5_000), 20_000, 5_000],
    [evenly(5_000, 5_000), 4_000, 4_000],
    [evenly(5_000, 5_000), 5_000, 5_000],
  ])('cuts a measured time off: case %#', (histogram, roundTimeout, mean) => {
    expect(size({ answerTime: { histogram }, rounds: 1, roundTimeout }).meanHold).toBeCloseTo(mean, 6);
  });

  it('is quick and stable for a load of 100 000', () => {
    const start = performance.now();
    const result = size({
      callsPerSecond: 10_000,
      rounds: 1,
      answerTime: exponential(10_000),
      roundTimeout: 2 ** 31 - 1,
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(result.offeredLoad).toBe(100_000);
    expect(result.slots).toBe(99_092);
    expect(result.refused).toBeCloseTo(0.01, 4);
  });
});

describe('a warning of sizeWorkerPool', () => {
  it('names a worst case above the limit of the platform, and no other', () => {
    expect(size({ requestLimit: 960_000 }).warnings).toStrictEqual([]);
    expect(size({ requestLimit: 959_999 }).warnings).toStrictEqual([
      'The worst-case hold (maxRounds x roundTimeout, 960000 ms) is above requestLimit (959999 ms): it may be cut off.',
    ]);
  });

  it('names a pool below the offered load', () => {
    const { slots, warnings } = size({ target: { refused: 0.5 } });
    expect(slots).toBe(41);
    expect(warnings).toStrictEqual(['The pool (41) is below the offered load (79.8).']);
  });

  it.each<[string, PoolInput['answerTime'], number, string]>([
    ['exponential', exponential(20_000), 60_000, '4.98'],
    ['measured', { histogram: evenly(0, 100_000) }, 60_000, '40'],
  ])('names rounds that are cut off: %s', (_shape, answerTime, roundTimeout, share) => {
    expect(size({ answerTime, roundTimeout }).warnings).toStrictEqual([
      `${share} % of rounds take longer than roundTimeout (60000 ms), and end their call.`,
    ]);
  });

  it('says nothing of rounds that are cut off once in more than a hundred times', () => {
    expect(size({ answerTime: exponential(20_000), roundTimeout: 92_200 }).warnings).toStrictEqual([]);
    expect(size({ answerTime: exponential(20_000), roundTimeout: 92_100 }).warnings).toHaveLength(1);
  });
});
