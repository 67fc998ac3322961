/** Ratios within one run: the contenders take turns in small batches, and each batch is compared with its neighbour. */
import { type Figure, type Spread, spreadOf } from './figure.ts';

export interface Contender {
  readonly name: string;
  /** Makes `calls` calls and checks every answer; throws when one is wrong. */
  run(calls: number): Promise<void>;
}

/** How to look: `turns` batches of `calls` calls for each contender, after `warmUp` that do not count. */
export interface Length {
  readonly turns: number;
  readonly warmUp: number;
  readonly calls: number;
  /**
   * Processor time of this process, which other work on the machine disturbs least, or time on the wall, which alone
   * sees waiting. @defaultValue 'processor': in memory nothing waits.
   */
  readonly clock?: 'processor' | 'wall';
}

const CLOCKS = {
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  wall: () => performance.now(),
};

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

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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

/** For each contender but the first: its time by the first's, once for each turn. */
export async function ratiosTo(contenders: readonly Contender[], length: Length): Promise<Map<string, Spread>> {
  const ratios = new Map<string, number[]>(contenders.slice(1).map(({ name }) => [name, []]));
  for (let turn = -length.warmUp; turn < length.turns; turn += 1) {
    const times = await takeTurn(contenders, Math.abs(turn), length);
    const base = times.get(contenders[0]?.name ?? '') ?? Number.NaN;
    if (turn >= 0) for (const [name, series] of ratios) series.push((times.get(name) ?? Number.NaN) / base);
  }
  return new Map([...ratios].map(([name, series]) => [name, spreadOf(series)]));
}

async function takeTurn(
  contenders: readonly Contender[],
  turn: number,
  { calls, clock = 'processor' }: Length,
): Promise<ReadonlyMap<string, number>> {
  const now = CLOCKS[clock];
  const times = new Map<string, number>();
  for (const contender of orderOf(contenders, turn)) {
    // What the one before has left over, for the event loop or the garbage collector, is not this one's to pay for.
    await nextTurn();
    globalThis.gc?.({ type: 'minor' });
    const start = now();
    await contender.run(calls);
    times.set(contender.name, now() - start);
  }
  return times;
}

/** Everyone comes first, last, before and after everyone else equally often. */
function orderOf(contenders: readonly Contender[], turn: number): readonly Contender[] {
  const first = Math.floor(turn / 2) % contenders.length;
  const rotated = [...contenders.slice(first), ...contenders.slice(0, first)];
  return turn % 2 === 0 ? rotated : rotated.reverse();
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
