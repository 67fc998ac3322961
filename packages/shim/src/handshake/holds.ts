/** Bounds and counts the calls that a process holds while their questions are out. */
import type { HoldPlace } from '../core/hold-place.ts';
import { type HoldLimit, HoldPool } from '../core/hold-pool.ts';
import type { Drained, HoldStats, Holds } from '../core/holds.ts';
import { integer, knownOptions, LONGEST_DELAY, object, wrongType } from '../core/option-checks.ts';
import type { Ports } from '../core/options.ts';
import { HoldFigures } from './hold-figures.ts';
import { resolvePorts } from './platform.ts';
import { settleWithin } from './settle-within.ts';

export interface HoldsOptions {
  /** Calls held at a time, all together. An integer >= 1. @defaultValue no limit */
  readonly max?: number | undefined;
  /** Calls held at a time on one connection. An integer >= 1. @defaultValue no limit */
  readonly maxPerConnection?: number | undefined;
  /**
   * Calls held at a time for one subject, as the `subject` option names it, whatever client ids it uses; calls of whom it
   * names nobody count by their connection. An integer >= 1. @defaultValue no limit
   */
  readonly maxPerSubject?: number | undefined;
  /** Calls that may wait for a place. An integer >= 0. @defaultValue 0: the next call ends as `busy` at once */
  readonly queue?: number | undefined;
  /** How long a call waits for a place, in milliseconds: 1 to 2 147 483 647. @defaultValue 30 000 */
  readonly queueTimeout?: number | undefined;
  /** Replaces parts of the platform, for tests. @defaultValue the platform's own */
  readonly ports?: Partial<Ports> | undefined;
}

const OPTIONS = ['max', 'maxPerConnection', 'maxPerSubject', 'queue', 'queueTimeout', 'ports'];

// Symbol.for, so that both builds of this package share their holds; the number changes with the shape.
const CORE: unique symbol = Symbol.for('mcp-dual-era.holds.1');

/** What the middleware uses of a {@link Holds}. */
export interface HoldsCore {
  readonly pool: HoldPool;
  readonly figures: HoldFigures;
  /** When a call that met `limit` is to try again, in milliseconds. */
  readonly retryAfter: (limit: HoldLimit) => number;
}

/** Of a drained server another one takes the calls; and of some nobody knows yet how long their people take. */
const UNKNOWN_WAIT = 5_000;
const SHORTEST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** How long a drain waits for its last answers to be on their way. */
const LONGEST_TELL = 5_000;

/**
 * Makes the places for the held calls of a process, to be given as the `holds` option to any number of servers. A call
 * keeps its place from its first question until it ends. Past a limit it waits in a queue, in which the connections take
 * turns, or ends at once with the reason `busy` and `retryAfter`. A call that asks nothing needs no place.
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function createHolds(options: HoldsOptions = {}): Holds {
  object('options', options);
  knownOptions('options', options, OPTIONS);
  const { queue = 0, queueTimeout = 30_000, ports } = options;
  const limits = {
    max: limit('max', options.max),
    maxPerConnection: limit('maxPerConnection', options.maxPerConnection),
    maxPerSubject: limit('maxPerSubject', options.maxPerSubject),
    queue: integer('queue', queue, undefined, 0),
    queueTimeout: integer('queueTimeout', queueTimeout, LONGEST_DELAY),
  };
  const { clock } = resolvePorts(ports);
  const pool = new HoldPool(limits, clock);
  const figures = new HoldFigures();
  const since = clock.now();
  const core: HoldsCore = { pool, figures, retryAfter };

  function retryAfter(met: HoldLimit): number {
    if (figures.meanHold === 0 || met === 'draining') return UNKNOWN_WAIT;
    // A place gets free every so often. Where all of them are taken, those in the queue come first.
    const wait = (figures.meanHold / limits[met]) * (met === 'max' ? pool.queued + 1 : 1);
    return Math.ceil(Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT));
  }

  function stats(): HoldStats {
    const { held, mostHeld, queued, mostQueued, calls, refused, isDraining } = pool;
    const elapsedMs = clock.now() - since;
    return { held, mostHeld, queued, mostQueued, calls, refused, ...figures.read(), isDraining, elapsedMs };
  }

  async function drain(grace: number = 30_000): Promise<Drained> {
    const ms = integer('grace', grace, LONGEST_DELAY, 0);
    let places: readonly HoldPlace[] = [];
    let timer: unknown;
    await new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, ms);
      places = pool.drain(resolve);
      if (ms === 0) resolve();
    });
    clock.clearTimeout(timer);
    pool.cutOff();
    const ended = places.filter(({ wasEnded }) => wasEnded);
    // Whoever closes the server next must not close it before they have been told.
    const told = Promise.all(ended.map((place) => place.gone()));
    await settleWithin(told, LONGEST_TELL, { clock, onError: () => undefined });
    const finished = places.filter(({ state, wasEnded }) => state === 'left' && !wasEnded);
    return { finished: finished.length, ended: ended.length };
  }

  return Object.defineProperty({ stats, drain }, CORE, { value: core });
}

/** @throws TypeError for what `createHolds` did not make. */
export function coreOf(holds: Holds | undefined): HoldsCore | undefined {
  if (holds === undefined) return undefined;
  const core = (holds as { [CORE]?: HoldsCore } | null)?.[CORE];
  if (core === undefined) throw wrongType('holds', 'what createHolds gives', holds);
  return core;
}

function limit(name: string, value: number | undefined): number {
  return value === undefined ? Number.POSITIVE_INFINITY : integer(name, value);
}
