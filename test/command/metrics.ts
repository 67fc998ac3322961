/** What `holds.stats()` gives, as far as the command reads it: 1 200 calls of two rounds each in ten minutes. */
export const STATS = {
  held: 3,
  calls: 1_188,
  refused: 12,
  // Some of them had a state only.
  rounds: 2_500,
  elapsedMs: 600_000,
  answerTimes: {
    count: 2_376,
    mean: 20_000,
    min: 10_000,
    max: 30_000,
    quantiles: Array.from({ length: 201 }, (_, index) => 10_000 + 100 * index),
  },
};
