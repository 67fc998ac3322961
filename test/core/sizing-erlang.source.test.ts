import { describe, expect, it } from 'vitest';
import { fewestSlots, type PoolMeasure, poolShares } from '../../packages/shim/src/core/sizing/erlang.ts';

function shareAt(load: number, slots: number, measure: PoolMeasure): number {
  const shares = poolShares(load, measure);
  for (let before = 1; before < slots; before += 1) shares.next();
  return shares.next().value;
}

describe('the share of refused calls', () => {
  // Tables of Erlang B give the load at which so many slots refuse 1 %, rounded.
  it.each([
    [1, 0.0101, 0.00005],
    [2, 0.153, 0.0005],
    [5, 1.36, 0.005],
    [10, 4.46, 0.005],
    [20, 12.03, 0.005],
    [50, 37.9, 0.005],
    [100, 84.06, 0.005],
  ])('is 1 %% at the load of the published tables: %i slots, %d', (slots, load, rounding) => {
    expect(shareAt(load - rounding, slots, 'refused')).toBeLessThan(0.01);
    expect(shareAt(load + rounding, slots, 'refused')).toBeGreaterThan(0.01);
    expect(fewestSlots(load - rounding, 'refused', 0.01).slots).toBe(slots);
    expect(fewestSlots(load + rounding, 'refused', 0.01).slots).toBe(slots + 1);
  });

  it.each([
    [1, 2, 1],
    [2, 1, 3],
    [7, 2, 5],
    [31, 3, 12],
    [40, 1, 60],
  ])('is what exact fractions give: load %i/%i, %i slots', (top, bottom, slots) => {
    expect(shareAt(top / bottom, slots, 'refused')).toBeCloseTo(exactShare(top, bottom, slots).refused, 14);
  });

  // Jagerman's expansion of 1/B where slots equal the load: sqrt(pi N / 2) + 2/3 + sqrt(2 pi / N) / 24 - 4 / (135 N).
  it.each([1_000, 10_000, 100_000])('stays exact for as many slots as load: %i', (load) => {
    const inverse = Math.sqrt((Math.PI * load) / 2) + 2 / 3 + Math.sqrt((2 * Math.PI) / load) / 24 - 4 / (135 * load);
    expect(shareAt(load, load, 'refused') * inverse).toBeCloseTo(1, 8);
  });
});

describe('the share of delayed calls', () => {
  // The load at which so many slots delay that share, rounded, in tables of Erlang C.
  it.each([
    [8, 3.87, 0.05],
    [10, 4.08, 0.01],
  ])('is that of the published tables: %i slots, %d, %d', (slots, load, share) => {
    expect(shareAt(load - 0.005, slots, 'delayed')).toBeLessThan(share);
    expect(shareAt(load + 0.005, slots, 'delayed')).toBeGreaterThan(share);
  });

  it.each([
    [1, 2, 1 / 3],
    [2, 3, 4 / 9],
    [3, 4, 27 / 53],
    [10, 14, 0.1741],
  ])('is that of the worked examples of textbooks: load %d, %i slots, %d', (load, slots, share) => {
    expect(shareAt(load, slots, 'delayed')).toBeCloseTo(share, 4);
  });

  it.each([
    [1, 2, 1],
    [7, 2, 5],
    [31, 3, 12],
    [40, 1, 60],
  ])('is what exact fractions give: load %i/%i, %i slots', (top, bottom, slots) => {
    expect(shareAt(top / bottom, slots, 'delayed')).toBeCloseTo(exactShare(top, bottom, slots).delayed, 13);
  });

  it('is all of them where there are no more slots than load', () => {
    expect([1, 2, 3].map((slots) => shareAt(3, slots, 'delayed'))).toStrictEqual([1, 1, 1]);
    expect(shareAt(3, 4, 'delayed')).toBeLessThan(1);
  });
});

describe.each(['refused', 'delayed'] as const)('the fewest slots, by calls %s', (measure) => {
  it('are the first that keep the target, and grow with the load, up to 100 000', () => {
    let before = 0;
    for (const load of [1e-9, 0.01, 0.5, 1, 3, 10, 33.3, 100, 1_000, 9_999.5, 50_000, 99_999, 100_000]) {
      const { slots, share } = fewestSlots(load, measure, 0.01);
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(0.01);
      if (slots > 1) expect(shareAt(load, slots - 1, measure)).toBeGreaterThan(0.01);
      expect(slots).toBeGreaterThanOrEqual(before);
      before = slots;
    }
    expect(before).toBeGreaterThan(98_000);
    expect(before).toBeLessThan(101_000);
  });

  it('grow as the target is lowered', () => {
    const slots = [0.999, 0.5, 0.1, 0.01, 1e-6, 1e-100, Number.MIN_VALUE].map(
      (target) => fewestSlots(50, measure, target).slots,
    );
    expect(slots).toStrictEqual([...slots].sort((left, right) => left - right));
    expect(new Set(slots).size).toBe(slots.length);
  });
});

/** By the definitions of the two formulas, in whole numbers: with the load `top / bottom`. */
function exactShare(top: number, bottom: number, slots: number): { refused: number; delayed: number } {
  const [p, q, n] = [BigInt(top), BigInt(bottom), BigInt(slots)];
  // The sum of load^k / k!, over the common denominator q^n n!.
  let term = q ** n * factorial(n);
  let below = 0n;
  for (let k = 0n; k < n; k += 1n) {
    below += term;
    term = (term * p) / (q * (k + 1n));
  }
  // Delayed: the last term counts n / (n - load) times.
  const waiting = term * n * q;
  const all = below * (n * q - p) + waiting;
  return { refused: ratio(term, below + term), delayed: ratio(waiting, all) };
}

function factorial(n: bigint): bigint {
  return n <= 1n ? 1n : n * factorial(n - 1n);
}

function ratio(top: bigint, bottom: bigint): number {
  return Number((top * 10n ** 30n) / bottom) / 1e30;
}
