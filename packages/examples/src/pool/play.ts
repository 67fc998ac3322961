/**
 * The same load and the same pool, played on paper many times: how far chance alone takes the share of refused calls from
 * what is expected.
 */
import { drawCalls, type Load } from './load.ts';

export interface Played {
  readonly times: number;
  /** The share of refused calls of the very load that was given, its seed included. */
  readonly ofLoad: number;
  /** The mean of all shares, with one seed after the other. */
  readonly mean: number;
  readonly deviation: number;
  /** 99.9 % of the shares lie between the two. */
  readonly low: number;
  readonly high: number;
}

const TIMES = 5_000;

/** @param around - how long a slot is taken beside the answer, in milliseconds. */
export function playOnPaper(load: Load, slots: number, around: number): Played {
  const shares = Array.from({ length: TIMES }, (_, seed) => shareRefused({ ...load, seed }, slots, around));
  shares.sort((one, other) => one - other);
  const mean = shares.reduce((sum, share) => sum + share, 0) / TIMES;
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (TIMES - 1);
  const beyond = Math.floor(0.0005 * TIMES);
  return {
    times: TIMES,
    ofLoad: shareRefused(load, slots, around),
    mean,
    deviation: Math.sqrt(variance),
    low: shares[beyond] ?? 0,
    high: shares[TIMES - 1 - beyond] ?? 1,
  };
}

function shareRefused(load: Load, slots: number, around: number): number {
  const freeAt = new Array<number>(slots).fill(0);
  let calls = 0;
  let refused = 0;
  let turns = 0;
  for (const { at, answerTime, isCounted } of drawCalls(load)) {
    turns += 1;
    const free = freeAt.findIndex((time) => time <= at);
    const slot = free >= 0 ? free : turns % slots;
    // As in the pool: where none is free, one that gets free while the session is set up will do.
    const isRefused = (freeAt[slot] ?? 0) > at + around;
    if (!isRefused) freeAt[slot] = at + around + answerTime;
    if (isCounted) calls += 1;
    if (isCounted && isRefused) refused += 1;
  }
  return calls === 0 ? 0 : refused / calls;
}
