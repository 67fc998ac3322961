/** Chance that a seed repeats: the gaps between calls, and the times that people take to answer. */
import { createCipheriv, createHash } from 'node:crypto';

export type Random = () => number;

/** A lognormal distribution, in milliseconds: most answer soon, a few take long. */
export interface AnswerTimes {
  readonly mean: number;
  /** 95 % of the answers take at most so long. */
  readonly p95: number;
}

const BLOCK = Buffer.alloc(4_096);

/** Numbers between 0 and 1, neither included: the key stream of a cipher, which no test tells from chance. */
export function seededRandom(seed: number): Random {
  const key = createHash('sha256').update(String(seed)).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  let block = BLOCK;
  let next = BLOCK.length;
  return () => {
    if (next === BLOCK.length) {
      block = cipher.update(BLOCK);
      next = 0;
    }
    const value = block.readUInt32LE(next);
    next += 4;
    return (value + 0.5) / 2 ** 32;
  };
}

/** The time until the next call of a Poisson stream, in milliseconds. */
export function gap(random: Random, callsPerSecond: number): number {
  return (-1_000 * Math.log(random())) / callsPerSecond;
}

/** Draws answer times. */
export function answerTimesOf({ mean, p95 }: AnswerTimes): (random: Random) => number {
  // With z the 95 % quantile of the normal distribution: ln(p95 / mean) = z sigma - sigma^2 / 2.
  const z = 1.6448536269514722;
  const sigma = z - Math.sqrt(z ** 2 - 2 * Math.log(p95 / mean));
  const mu = Math.log(mean) - sigma ** 2 / 2;
  return (random) => Math.exp(mu + sigma * normal(random));
}

/** G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates", 1958. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
