import { describe, expect, it } from 'vitest';
import { readAnswerTime } from '../../packages/shim/src/core/sizing/answer-time.ts';

/** The area below `curve` from 0 to `end`, by Simpson's rule. */
function area(curve: (x: number) => number, end: number): number {
  const steps = 10_000;
  let sum = curve(0) + curve(end);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 0 ? 2 : 4) * curve((step * end) / steps);
  return (sum * end) / steps / 3;
}

describe('the mean of the times that are cut at a limit', () => {
  it.each([
    { shape: 'exponential', mean: 1_000 },
    { shape: 'lognormal', mean: 1_000, p95: 1_500 },
    { shape: 'lognormal', mean: 1_000, p95: 3_000 },
    { shape: 'lognormal', mean: 1_000, p95: 3_800 },
  ])('is what the shares beyond all shorter limits add up to: %o', (answerTime) => {
    const model = readAnswerTime(answerTime);
    for (const limit of [100, 1_000, 10_000]) {
      const sum = area((time) => (time === 0 ? 1 : model.shareBeyond(time)), limit);
      expect(model.cutMean(limit) / sum).toBeCloseTo(1, 5);
    }
  });
});
