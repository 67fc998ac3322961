/** What a row of the bench says: a figure, its spread, and the bound it has to keep. */

/** The median and the quartiles of a series. */
export interface Spread {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

export interface Figure {
  readonly name: string;
  readonly unit: 'ratio' | 'B' | 'KB' | 'names';
  /** The median must not be above it. */
  readonly bound: number;
  readonly shim: Spread;
  /** The same measurement of bare against bare: what the machine alone makes of it. */
  readonly noise?: Spread;
  /** Other contenders and figures, for comparison. */
  readonly others?: readonly { readonly name: string; readonly spread: Spread }[];
}

interface Effort {
  /** A short run: enough to see that everything works, too short to trust a close figure. */
  readonly isQuick: boolean;
}

/** One row of the bench: measures, and throws when a contender answers wrongly. */
export type Row = (effort: Effort) => Promise<readonly Figure[]>;

export function spreadOf(series: readonly number[]): Spread {
  const sorted = [...series].sort((left, right) => left - right);
  const at = (share: number): number => {
    const position = share * (sorted.length - 1);
    const below = sorted[Math.floor(position)] ?? Number.NaN;
    const above = sorted[Math.ceil(position)] ?? Number.NaN;
    return below + (above - below) * (position % 1);
  };
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

/** A figure that has no spread: it is the same in every run. */
export function exactly(value: number): Spread {
  return { lower: value, median: value, upper: value };
}

export function isReached({ shim, bound }: Figure): boolean {
  return shim.median <= bound;
}
