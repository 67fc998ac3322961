import { describe, expect, it } from 'vitest';
import { type PoolFacts, poolWarnings } from '../../packages/shim/src/core/sizing/warnings.ts';

const FINE: PoolFacts = {
  slots: 5,
  offeredLoad: 5,
  worstCaseHold: 60_000,
  requestLimit: 60_000,
  roundTimeout: 20_000,
  cutOff: 0.0099,
};

describe('what a pool is warned of', () => {
  it('is nothing on the very limits', () => {
    expect(poolWarnings(FINE)).toEqual([]);
    expect(poolWarnings({ ...FINE, requestLimit: undefined })).toEqual([]);
  });

  it.each<[Partial<PoolFacts>, string]>([
    [
      { requestLimit: 59_999 },
      'The worst-case hold (maxRounds x roundTimeout, 60000 ms) is above requestLimit (59999 ms): it may be cut off.',
    ],
    [{ offeredLoad: 5.004 }, 'The pool (5) is below the offered load (5).'],
    [{ cutOff: 0.01 }, '1 % of rounds take longer than roundTimeout (20000 ms), and end their call.'],
  ])('is %j', (facts, warning) => {
    expect(poolWarnings({ ...FINE, ...facts })).toEqual([warning]);
  });
});
