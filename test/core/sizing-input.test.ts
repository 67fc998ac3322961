import { type PoolInput, sizeWorkerPool } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

const HISTOGRAM = { count: 3, mean: 100, min: 0, max: 200, quantiles: Array.from({ length: 201 }, (_, at) => at) };
const GOOD = {
  callsPerSecond: 2,
  rounds: 2,
  answerTime: { mean: 20_000, shape: 'exponential' },
  roundTimeout: 120_000,
  maxRounds: 8,
  requestLimit: 960_000,
  target: { refused: 0.01 },
} as const;
const size = (changed: object) => () => sizeWorkerPool({ ...GOOD, ...changed } as unknown as PoolInput);
const histogram = (changed: object) => ({ answerTime: { histogram: { ...HISTOGRAM, ...changed } } });
const lognormal = (p95: unknown) => ({ answerTime: { mean: 20_000, p95, shape: 'lognormal' } });
const quantilesWith = (at: number, value: unknown) =>
  HISTOGRAM.quantiles.map((own, index) => (index === at ? value : own));

const COUNTS = 'must be an integer from 1 to 9007199254740991';
const TIMES = 'must be a number above 0 and at most 9007199254740991';
const SHARE = 'must be above 0 and below 1 (0.01 is 1 %)';
const P95 = 'answerTime.p95 must be above answerTime.mean (20000 ms) and at most 3.868 times it (77362 ms)';

describe('an input of the wrong type', () => {
  it.each<[unknown, string]>([
    [undefined, 'input must be an object, got undefined'],
    [null, 'input must be an object, got null'],
    [[GOOD], 'input must be an object, got an array'],
    [7, 'input must be an object, got 7'],
    ['2/s', 'input must be an object, got a string'],
  ])('is a TypeError: %o', (input, message) => {
    expect(() => sizeWorkerPool(input as PoolInput)).toThrow(new TypeError(message));
  });

  it.each<[object, string]>([
    [{ callsPerSecond: undefined }, 'callsPerSecond must be a number, got undefined'],
    [{ callsPerSecond: '2' }, 'callsPerSecond must be a number, got "2"'],
    [{ callsPerSecond: null }, 'callsPerSecond must be a number, got null'],
    [{ callsPerSecond: 2n }, 'callsPerSecond must be a number, got 2n'],
    [{ rounds: undefined }, 'rounds must be a number, got undefined'],
    [{ rounds: [2] }, 'rounds must be a number, got an array'],
    [{ rounds: {} }, 'rounds must be a number, got an object'],
    [{ roundTimeout: '120s' }, 'roundTimeout must be a number, got "120s"'],
    [{ roundTimeout: null }, 'roundTimeout must be a number, got null'],
    [{ maxRounds: true }, 'maxRounds must be a number, got true'],
    [{ maxRounds: null }, 'maxRounds must be a number, got null'],
    [{ requestLimit: () => 1 }, 'requestLimit must be a number, got a function'],
    [{ requestLimit: null }, 'requestLimit must be a number, got null'],
    [{ answerTime: undefined }, 'answerTime must be an object, got undefined'],
    [{ answerTime: 20_000 }, 'answerTime must be an object, got 20000'],
    [{ answerTime: null }, 'answerTime must be an object, got null'],
    [{ answerTime: [] }, 'answerTime must be an object, got an array'],
    [{ answerTime: {} }, "answerTime.shape must be 'exponential' or 'lognormal', got undefined"],
    [{ answerTime: { mean: 1 } }, "answerTime.shape must be 'exponential' or 'lognormal', got undefined"],
    [{ answerTime: { shape: 'exponential' } }, 'answerTime.mean must be a number, got undefined'],
    [{ answerTime: { shape: 'exponential', mean: '20s' } }, 'answerTime.mean must be a number, got "20s"'],
    [
      { answerTime: { shape: 'exponential', mean: 1, p95: 2 } },
      "answerTime.p95 must be left out beside the shape 'exponential', got 2",
    ],
    [lognormal(undefined), 'answerTime.p95 must be a number, got undefined'],
    [lognormal('60s'), 'answerTime.p95 must be a number, got "60s"'],
    [{ answerTime: { histogram: null } }, 'answerTime.histogram must be an object, got null'],
    [{ answerTime: { histogram: [1, 2] } }, 'answerTime.histogram must be an object, got an array'],
    [{ answerTime: { histogram: HISTOGRAM, mean: 1 } }, 'answerTime.mean must be left out beside histogram, got 1'],
    [
      { answerTime: { histogram: HISTOGRAM, shape: 'lognormal' } },
      'answerTime.shape must be left out beside histogram, got "lognormal"',
    ],
    [histogram({ count: '3' }), 'answerTime.histogram.count must be a number, got "3"'],
    [histogram({ mean: null }), 'answerTime.histogram.mean must be a number, got null'],
    [histogram({ min: undefined }), 'answerTime.histogram.min must be a number, got undefined'],
    [histogram({ max: {} }), 'answerTime.histogram.max must be a number, got an object'],
    [histogram({ quantiles: undefined }), 'answerTime.histogram.quantiles must be an array, got undefined'],
    [histogram({ quantiles: { length: 201 } }), 'answerTime.histogram.quantiles must be an array, got an object'],
    [histogram({ quantiles: quantilesWith(7, '7') }), 'answerTime.histogram.quantiles[7] must be a number, got "7"'],
    // Members that are not there at all.
    [histogram({ quantiles: new Array(201) }), 'answerTime.histogram.quantiles[0] must be a number, got undefined'],
    [{ target: undefined }, 'target must be an object, got undefined'],
    [{ target: null }, 'target must be an object, got null'],
    [{ target: 0.01 }, 'target must be an object, got 0.01'],
    [{ target: {} }, 'target must have one member, refused or delayed, got ""'],
    [{ target: { refused: undefined } }, 'target must have one member, refused or delayed, got ""'],
    [
      { target: { refused: 0.1, delayed: 0.1 } },
      'target must have one member, refused or delayed, got "refused, delayed"',
    ],
    [{ target: { lost: 0.1 } }, 'target must have one member, refused or delayed, got "lost"'],
    [{ target: { refused: 0.1, lost: 0.1 } }, 'target must have one member, refused or delayed, got "refused, lost"'],
    [{ target: { toString: 0.1 } }, 'target must have one member, refused or delayed, got "toString"'],
    [{ target: { refused: '1%' } }, 'target.refused must be a number, got "1%"'],
    [{ target: { delayed: { share: 0.1 } } }, 'target.delayed must be a number, got an object'],
  ])('is a TypeError: %o', (changed, message) => {
    expect(size(changed)).toThrow(new TypeError(message));
  });
});

describe('an input out of bounds', () => {
  const FINITE = 'callsPerSecond must be a finite number above 0';
  it.each<[object, string]>([
    [{ callsPerSecond: 0 }, `${FINITE}, got 0`],
    [{ callsPerSecond: -2 }, `${FINITE}, got -2`],
    [{ callsPerSecond: Number.NaN }, `${FINITE}, got NaN`],
    [{ callsPerSecond: Number.POSITIVE_INFINITY }, `${FINITE}, got Infinity`],
    [{ rounds: 0 }, 'rounds must be a number above 0 and at most 8, got 0'],
    [{ rounds: 8.5 }, 'rounds must be a number above 0 and at most 8, got 8.5'],
    [{ rounds: Number.NaN }, 'rounds must be a number above 0 and at most 8, got NaN'],
    [{ roundTimeout: 0 }, 'roundTimeout must be an integer from 1 to 2147483647, got 0'],
    [{ roundTimeout: 1.5 }, 'roundTimeout must be an integer from 1 to 2147483647, got 1.5'],
    [{ roundTimeout: 2 ** 31 }, 'roundTimeout must be an integer from 1 to 2147483647, got 2147483648'],
    [{ maxRounds: 0 }, `maxRounds ${COUNTS}, got 0`],
    [{ maxRounds: 2.5 }, `maxRounds ${COUNTS}, got 2.5`],
    [{ requestLimit: 0 }, `requestLimit ${COUNTS}, got 0`],
    [{ requestLimit: Number.POSITIVE_INFINITY }, `requestLimit ${COUNTS}, got Infinity`],
    [{ answerTime: { mean: 0, shape: 'exponential' } }, `answerTime.mean ${TIMES}, got 0`],
    [
      { answerTime: { mean: Number.POSITIVE_INFINITY, shape: 'exponential' } },
      `answerTime.mean ${TIMES}, got Infinity`,
    ],
    [
      { answerTime: { mean: 1, shape: 'normal' } },
      "answerTime.shape must be 'exponential' or 'lognormal', got \"normal\"",
    ],
    [lognormal(20_000), `${P95}, got 20000`],
    [lognormal(-1), `${P95}, got -1`],
    [lognormal(77_363), `${P95}, got 77363`],
    [lognormal(Number.NaN), `${P95}, got NaN`],
    [histogram({ count: 0 }), 'answerTime.histogram.count must be 1 or more (nothing has been measured yet), got 0'],
    [histogram({ count: -1 }), `answerTime.histogram.count ${COUNTS}, got -1`],
    [histogram({ mean: -1 }), 'answerTime.histogram.mean must be a number from 0 to 9007199254740991, got -1'],
    [histogram({ max: Number.NaN }), 'answerTime.histogram.max must be a number from 0 to 9007199254740991, got NaN'],
    [histogram({ quantiles: [] }), 'answerTime.histogram.quantiles must have 201 values, got 0'],
    [
      histogram({ quantiles: [...HISTOGRAM.quantiles, 201] }),
      'answerTime.histogram.quantiles must have 201 values, got 202',
    ],
    [
      histogram({ quantiles: quantilesWith(7, 5) }),
      'answerTime.histogram.quantiles[7] must be a number from 6 to 9007199254740991, got 5',
    ],
    [
      histogram({ quantiles: quantilesWith(200, Number.POSITIVE_INFINITY) }),
      'answerTime.histogram.quantiles[200] must be a number from 199 to 9007199254740991, got Infinity',
    ],
    [{ target: { refused: 0 } }, `target.refused ${SHARE}, got 0`],
    [{ target: { refused: 1 } }, `target.refused ${SHARE}, got 1`],
    [{ target: { delayed: 5 } }, `target.delayed ${SHARE}, got 5`],
    [{ target: { delayed: Number.NaN } }, `target.delayed ${SHARE}, got NaN`],
  ])('is a RangeError: %o', (changed, message) => {
    expect(size(changed)).toThrow(new RangeError(message));
  });

  const LOAD = 'The offered load, callsPerSecond x the mean hold, must be above 0 and at most 1000000';
  it.each<[object, string]>([
    [
      { callsPerSecond: 1e6, rounds: 1, answerTime: { mean: 2_000, shape: 'exponential' }, roundTimeout: 2 ** 31 - 1 },
      `${LOAD}, got 2000000`,
    ],
    [{ callsPerSecond: 1e308, maxRounds: 2 ** 53 - 1, rounds: 1e15 }, `${LOAD}, got Infinity`],
    [histogram({ quantiles: new Array(201).fill(0) }), `${LOAD}, got 0`],
  ])('is a RangeError where it comes to too much, or to nothing: %o', (changed, message) => {
    expect(size(changed)).toThrow(new RangeError(message));
  });
});

describe('an input within bounds', () => {
  it.each<[object]>([
    [histogram({ max: Number.MAX_SAFE_INTEGER })],
    [{ roundTimeout: undefined, maxRounds: undefined, requestLimit: undefined }],
    [{ callsPerSecond: Number.MIN_VALUE, rounds: 8 }],
    [{ callsPerSecond: 25_000, answerTime: { mean: 20_000, shape: 'exponential' }, roundTimeout: 2 ** 31 - 1 }],
    [{ answerTime: { mean: Number.MAX_SAFE_INTEGER, shape: 'exponential' } }],
    [{ answerTime: { mean: Number.MIN_VALUE, shape: 'exponential' }, callsPerSecond: 1e9 }],
    [lognormal(20_000.000001)],
    [lognormal(20_000 * Math.exp(1.6448536269514722 ** 2 / 2))],
    [histogram({})],
    [{ rounds: 0.001 }],
    [{ target: { refused: Number.MIN_VALUE } }],
    [{ target: { delayed: 0.999999, refused: undefined } }],
  ])('is taken: %o', (changed) => {
    const { slots, meanHold, offeredLoad, sensitivity } = size(changed)();
    for (const figure of [meanHold, offeredLoad]) expect(figure).toBeGreaterThan(0);
    for (const count of [slots, sensitivity.load, sensitivity.answerTime]) expect(count).toBeGreaterThanOrEqual(1);
    expect(meanHold).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
