import { describe, expect, it } from 'vitest';
import { normalCdf } from '../../packages/shim/src/core/sizing/normal.ts';

describe('normalCdf', () => {
  it.each([
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [-1, 0.15865525393145705],
    [1.6448536269514722, 0.95],
    [1.959963984540054, 0.975],
    [2.326347874040841, 0.99],
    [3, 0.9986501019683699],
    [-3, 0.0013498980316300946],
    [-5, 2.866515718791939e-7],
    [-7, 1.279812543885835e-12],
  ])('is that of the tables: %d', (x, share) => {
    expect(Math.abs(normalCdf(x) - share)).toBeLessThan(2e-15);
  });

  it.each([
    [8.1, 1],
    [-8.1, 0],
    [Number.POSITIVE_INFINITY, 1],
    [Number.NEGATIVE_INFINITY, 0],
  ])('has nothing left far out: %d', (x, share) => {
    expect(normalCdf(x)).toBe(share);
  });
});
