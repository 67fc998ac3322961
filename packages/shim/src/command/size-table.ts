/** A size as a table for people. */
import type { PoolSize } from '../core/sizing/size-worker-pool.ts';

const MEASURES = { refused: 'Refused at those slots', delayed: 'Delayed at those slots' } as const;

/** One line for each figure, then one for each warning. */
export function sizeTable(size: PoolSize): string {
  const [measure, share] = measuredShare(size);
  const rows = [
    ['Slots', String(size.slots)],
    [MEASURES[measure], percent(share)],
    ['Offered load', `${significant(size.offeredLoad)} calls held at once`],
    ['Mean hold', duration(size.meanHold)],
    ['Worst-case hold', duration(size.worstCaseHold)],
    ['Slots for 25 % more calls', String(size.sensitivity.load)],
    ['Slots if people take twice as long', String(size.sensitivity.answerTime)],
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const warnings = size.warnings.map((warning) => `Warning: ${warning}`);
  return `${[...lines, ...warnings].join('\n')}\n`;
}

/** Which share the size is for, and what it is. */
export function measuredShare({ refused, delayed = 0 }: PoolSize): readonly [keyof typeof MEASURES, number] {
  return refused === undefined ? ['delayed', delayed] : ['refused', refused];
}

/** Three digits, such as `0.905 %`. */
export function percent(share: number): string {
  return `${significant(100 * share)} %`;
}

/** Three digits, without an exponent or trailing zeros where that can be. */
export function significant(value: number): string {
  return String(value < 1_000 ? Number(value.toPrecision(3)) : Math.round(value));
}

function duration(ms: number): string {
  if (ms < 1_000) return `${significant(ms)} ms`;
  if (ms < 120_000) return `${significant(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${significant(ms / 60_000)} min` : `${significant(ms / 3_600_000)} h`;
}
