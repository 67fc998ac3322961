import { expect } from 'vitest';

/**
 * Runs what takes milliseconds as it should, and minutes where its time grows faster than its input: the bound between
 * them is generous, so that a slow machine does not matter.
 */
export function expectQuick<Result>(run: () => Result): Result {
  const start = performance.now();
  const result = run();
  expect(performance.now() - start).toBeLessThan(10_000);
  return result;
}

/** `count` members, named k0, k1 and so on. */
export function wideObject(count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

/** An object in an object in an object, as only a parser can make it. */
export function deepObject(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}
