/** How many calls a pool must be able to hold at once, so that few enough of them are refused, or have to wait. */
import { describeValue } from '../json.ts';
import { integer, knownOptions, LONGEST_DELAY, object } from '../option-checks.ts';
import { type AnswerTime, readAnswerTime } from './answer-time.ts';
import { fewestSlots, type PoolMeasure } from './erlang.ts';
import { numberThat, positive } from './number-check.ts';
import { poolWarnings } from './warnings.ts';

/** The share of calls that is put up with: above 0 and below 1, so 0.01 is 1 %. */
export type PoolTarget = { readonly refused: number } | { readonly delayed: number };

export interface PoolInput {
  /** Calls that begin per second, on average. Above 0. */
  readonly callsPerSecond: number;
  /** Rounds per call, on average. Above 0 and at most `maxRounds`; need not be an integer. */
  readonly rounds: number;
  /** How long the answers of one round take. */
  readonly answerTime: AnswerTime;
  /** The option of this name, in milliseconds: 1 to 2 147 483 647. @defaultValue 600 000 */
  readonly roundTimeout?: number | undefined;
  /** The option of this name. An integer >= 1. @defaultValue 8 */
  readonly maxRounds?: number | undefined;
  /** How long the platform lets a request run, in milliseconds: an integer >= 1. @defaultValue none */
  readonly requestLimit?: number | undefined;
  /**
   * The share of calls that may be refused because every slot is taken, or that may have to wait for a slot where there is
   * a queue.
   */
  readonly target: PoolTarget;
}

export interface PoolSize {
  /** The fewest slots that keep the target. */
  readonly slots: number;
  /** How long a call is held on average, in milliseconds: `rounds` times the mean of min(answer, `roundTimeout`). */
  readonly meanHold: number;
  /** `maxRounds` x `roundTimeout`, in milliseconds. */
  readonly worstCaseHold: number;
  /** Calls held at once on average, if there were room for all: `callsPerSecond` x `meanHold`. */
  readonly offeredLoad: number;
  /** The share of calls that is refused with so many slots, where the target was one of refused calls. */
  readonly refused?: number;
  /** The share of calls that has to wait with so many slots, where the target was one of delayed calls. */
  readonly delayed?: number;
  readonly sensitivity: {
    /** The slots for 25 % more calls per second. */
    readonly load: number;
    /** The slots where people take twice as long. */
    readonly answerTime: number;
  };
  /** What cannot work, or is not as it looks: short sentences. */
  readonly warnings: readonly string[];
}

const INPUT = ['callsPerSecond', 'rounds', 'answerTime', 'roundTimeout', 'maxRounds', 'requestLimit', 'target'];

/** Of more, the time to count them up would be felt. */
const LARGEST_LOAD = 1_000_000;

/**
 * How many slots a pool of held calls needs. Calls are taken to begin independently of each other (a Poisson process).
 * Refused calls by Erlang B, which is exact however the holds are distributed; delayed calls by Erlang C, which is exact
 * for exponential ones. The sources are with the formulas.
 *
 * @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function sizeWorkerPool(input: PoolInput): PoolSize {
  object('input', input);
  knownOptions('input', input, INPUT);
  const callsPerSecond = positive('callsPerSecond', input.callsPerSecond);
  const maxRounds = integer('maxRounds', input.maxRounds === undefined ? 8 : input.maxRounds);
  const rounds = positive('rounds', input.rounds, maxRounds);
  const { roundTimeout: timeout = 600_000, requestLimit: limit } = input;
  const roundTimeout = integer('roundTimeout', timeout, LONGEST_DELAY);
  const requestLimit = limit === undefined ? undefined : integer('requestLimit', limit);
  const answers = readAnswerTime(input.answerTime);
  const [measure, target] = readTarget(input.target);

  const loadOf = (hold: number): number => (callsPerSecond * hold) / 1_000;
  const meanHold = rounds * answers.cutMean(roundTimeout);
  // Times twice as long, with the same limit, are the same times with half of it, twice.
  const longerHold = rounds * 2 * answers.cutMean(roundTimeout / 2);
  const offeredLoad = numberThat('The offered load, callsPerSecond x the mean hold,', loadOf(meanHold), {
    wanted: `above 0 and at most ${LARGEST_LOAD}`,
    isAllowed: (load) => load > 0 && load <= LARGEST_LOAD,
  });
  const slotsFor = (load: number): number => fewestSlots(load, measure, target).slots;
  const { slots, share } = fewestSlots(offeredLoad, measure, target);
  const worstCaseHold = maxRounds * roundTimeout;
  const cutOff = answers.shareBeyond(roundTimeout);
  return {
    slots,
    meanHold,
    worstCaseHold,
    offeredLoad,
    [measure]: share,
    sensitivity: { load: slotsFor(1.25 * offeredLoad), answerTime: slotsFor(loadOf(longerHold)) },
    warnings: poolWarnings({ slots, offeredLoad, worstCaseHold, requestLimit, roundTimeout, cutOff }),
  };
}

function readTarget(given: PoolTarget): readonly [PoolMeasure, number] {
  object('target', given);
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const [name, share] = members[0] ?? [];
  if (members.length !== 1 || (name !== 'refused' && name !== 'delayed')) {
    const names = describeValue(members.map(([member]) => member).join(', '));
    throw new TypeError(`target must have one member, refused or delayed, got ${names}`);
  }
  const isAllowed = (value: number): boolean => value > 0 && value < 1;
  return [name, numberThat(`target.${name}`, share, { wanted: 'above 0 and below 1 (0.01 is 1 %)', isAllowed })];
}
