/**
 * Ratios within one run: the contenders take turns in slices of a millisecond or two, and the sums of a few neighbouring
 * slices are compared. A slice in which the scheduler took the processor away is made again, since other work on the
 * machine would be all it shows.
 */
import { type Figure, type Spread, spreadOf } from './figure.ts';

export interface Contender {
  readonly name: string;
  /** Makes `calls` calls and checks every answer; throws when one is wrong. */
  run(calls: number): Promise<void>;
  /** Does the same and tells how long it took, where it is not this process that can tell. */
  time?(calls: number, attempts: number): Promise<number>;
}

/** How to look: `turns` ratios, after `warmUp` that do not count, each of `slices` slices of `calls` calls. */
export interface Length {
  readonly turns: number;
  readonly warmUp: number;
  readonly slices: number;
  readonly calls: number;
  /** Enough after so many seconds, on a machine that is too busy for all turns. @defaultValue 15 */
  readonly seconds?: number;
  /** How often a disturbed slice is made at most; the last one counts. @defaultValue 6 */
  readonly attempts?: number;
}

/**
 * A contender that makes one call after the other, each in a turn of the event loop of its own, as calls come from any
 * client outside the process. (In one long turn, which only bare could stay in, nobody would pay for its own garbage.)
 */
export function oneByOne(name: string, call: () => Promise<void>): Contender {
  return {
    name,
    async run(calls) {
      for (let made = 0; made < calls; made += 1) {
        await nextTurn();
        await call();
      }
    },
  };
}

/** A contender that keeps `width` calls in flight. */
export function inFlight(width: number, name: string, call: () => Promise<void>): Contender {
  return {
    name,
    async run(calls) {
      let left = calls;
      const work = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await call();
        }
      };
      await Promise.all(Array.from({ length: width }, work));
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const FEWEST_TURNS = 10;

/** For each contender but the first: its time by the first's, once for each turn. */
export async function ratiosTo(contenders: readonly Contender[], length: Length): Promise<Map<string, Spread>> {
  const ratios = new Map<string, number[]>(contenders.slice(1).map(({ name }) => [name, []]));
  const deadline = performance.now() + 1_000 * (length.seconds ?? 15);
  for (let turn = -length.warmUp; turn < length.turns; turn += 1) {
    if (turn >= FEWEST_TURNS && performance.now() > deadline) break;
    const times = await takeTurn(contenders, length);
    const base = times.get(contenders[0]?.name ?? '') ?? Number.NaN;
    if (turn >= 0) for (const [name, series] of ratios) series.push((times.get(name) ?? Number.NaN) / base);
  }
  return new Map([...ratios].map(([name, series]) => [name, spreadOf(series)]));
}

async function takeTurn(contenders: readonly Contender[], length: Length): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (let slice = 0; slice < length.slices; slice += 1) {
    for (const contender of orderOf(contenders, slice)) {
      const { calls, attempts = 6 } = length;
      const time = await (contender.time?.(calls, attempts) ?? timeSlice(contender, calls, attempts));
      times.set(contender.name, (times.get(contender.name) ?? 0) + time);
    }
  }
  return times;
}

/** Nobody always comes after the same neighbour, whose garbage and cold caches it would have. */
function orderOf(contenders: readonly Contender[], slice: number): readonly Contender[] {
  const first = Math.floor(slice / 2) % contenders.length;
  const rotated = [...contenders.slice(first), ...contenders.slice(0, first)];
  return slice % 2 === 0 ? rotated : rotated.reverse();
}

/** How long `contender` takes for `calls` calls, in milliseconds: undisturbed, or at the last of `attempts`. */
export async function timeSlice(contender: Contender, calls: number, attempts: number): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    // What the one before has left over for the next turn of the event loop is not this one's to pay for.
    await nextTurn();
    const before = timesPreempted();
    const start = performance.now();
    await contender.run(calls);
    const time = performance.now() - start;
    if (attempt >= attempts || timesPreempted() === before) return time;
  }
}

function timesPreempted(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}

export interface Field {
  /** What the shim is measured against. */
  readonly bare: Contender;
  /** The same again, set up anew. */
  readonly bareAgain: Contender;
  readonly shim: Contender;
  readonly others?: readonly Contender[];
}

/** The figure of the row `name`: the shim by bare, with bare by bare beside it. */
export async function compare(
  row: { readonly name: string; readonly bound: number },
  { bare, bareAgain, shim, others = [] }: Field,
  length: Length,
): Promise<Figure> {
  const ratios = await ratiosTo([bare, bareAgain, shim, ...others], length);
  const of = (name: string): Spread => ratios.get(name) ?? spreadOf([]);
  return {
    ...row,
    unit: 'ratio',
    shim: of(shim.name),
    noise: of(bareAgain.name),
    others: others.map(({ name }) => ({ name: `${name} / ${bare.name}`, spread: of(name) })),
  };
}
