/** Calls that come as people's do: each by itself, at any time (a Poisson stream), and answered after a human-like time. */
import { setTimeout } from 'node:timers/promises';
import { type Called, callOnce } from './caller.ts';
import { type AnswerTimes, answerTimesOf, gap, seededRandom } from './chance.ts';

export interface Load {
  readonly callsPerSecond: number;
  readonly answerTimes: AnswerTimes;
  /** For so long calls are made, but not counted: the pool is empty at first. */
  readonly warmUpSeconds: number;
  /** For so long they are made and counted. */
  readonly seconds: number;
  readonly seed: number;
}

/** When each call begins, in milliseconds from the first moment on, and how long its answer takes. */
export function* drawCalls({ callsPerSecond, answerTimes, warmUpSeconds, seconds, seed }: Load) {
  const random = seededRandom(seed);
  const drawAnswerTime = answerTimesOf(answerTimes);
  const warmUp = warmUpSeconds * 1_000;
  const end = warmUp + seconds * 1_000;
  for (let at = gap(random, callsPerSecond); at < end; at += gap(random, callsPerSecond)) {
    yield { at, answerTime: drawAnswerTime(random), isCounted: at >= warmUp };
  }
}

/** What became of the calls that count; settles when all calls are over. */
export async function makeCalls(url: URL, load: Load): Promise<readonly Called[]> {
  const begin = performance.now();
  const all: Promise<Called>[] = [];
  const counted: Promise<Called>[] = [];
  for (const { at, answerTime, isCounted } of drawCalls(load)) {
    // By the clock, and not by the gap: a late call does not make the next one late.
    await setTimeout(Math.max(0, begin + at - performance.now()));
    const call = callOnce(url, answerTime);
    all.push(call);
    if (isCounted) counted.push(call);
  }
  await Promise.all(all);
  return Promise.all(counted);
}
