/** The holds of a process: what bounds them, and what is known of them. */
import type { AskKind } from './embedded-request.ts';
import type { HoldOutcome, LegOutcome } from './events.ts';
import type { TimeDistribution } from './time-distribution.ts';

/** Times as they were measured, in milliseconds; every quantile is within 1 % of the time that was measured. */
export interface MeasuredTimes extends TimeDistribution {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is known of the holds of a process, since `createHolds`. It is plain JSON. */
export interface HoldStats {
  /** Calls that hold a place now. */
  readonly held: number;
  /** The most that ever held one at a time. */
  readonly mostHeld: number;
  /** Calls that wait for a place now. */
  readonly queued: number;
  readonly mostQueued: number;
  /** Questions that are out now. */
  readonly openLegs: number;
  /** Calls that were held: those whose first question went out. */
  readonly calls: number;
  /** Calls that got no place, and ended as `busy`. */
  readonly refused: number;
  /** Rounds that went out, those without questions too. */
  readonly rounds: number;
  /** Questions that are over, by kind and outcome; what never happened is left out. */
  readonly legs: Readonly<Partial<Record<AskKind, Partial<Record<LegOutcome, number>>>>>;
  /** Calls that are over, by outcome. */
  readonly outcomes: Readonly<Partial<Record<HoldOutcome, number>>>;
  /** From a call's place until its end. */
  readonly holdTimes: MeasuredTimes;
  /** From the first question of a round until its last answer, or until the round was cut off. */
  readonly answerTimes: MeasuredTimes;
  /** Whether `drain` was called. */
  readonly isDraining: boolean;
  /** Milliseconds since `createHolds`. */
  readonly elapsedMs: number;
}

/** What became of the calls that held a place when `drain` was called. One whose handler never ends is in neither. */
export interface Drained {
  /** Calls that ended by themselves within the grace. */
  readonly finished: number;
  /** Calls that were ended as `busy` when it was over. One whose handler was running then ends so if it asks again. */
  readonly ended: number;
}

/** Made by `createHolds`: the places of a process, for the `holds` option of all its servers. */
export interface Holds {
  /** The figures so far. */
  stats(): HoldStats;
  /**
   * Gives no more places: calls that ask from now on, and those in the queue, end as `busy`. Calls that hold a place may
   * go on for `grace`; those that still wait for an answer then end as `busy`, and their dialogs are closed. Resolves once
   * no call is held, or once those that were ended have been told. There is no way back.
   *
   * @param grace - milliseconds, 0 to 2 147 483 647. @defaultValue 30 000
   * @throws TypeError when `grace` is no number, RangeError when it is out of bounds.
   */
  drain(grace?: number): Promise<Drained>;
}
