/** Holds what was predicted against what was measured. */
import type { HoldStats, PoolSize } from 'mcp-dual-era';
import type { Called } from './caller.ts';
import { confidenceInterval } from './interval.ts';
import type { Load } from './load.ts';
import { type Played, playOnPaper } from './play.ts';

export interface Run {
  readonly load: Load;
  readonly size: PoolSize;
  readonly calls: readonly Called[];
  /** What each process had measured before the calls, and after them. */
  readonly before: readonly HoldStats[];
  readonly after: readonly HoldStats[];
}

export interface Report {
  readonly text: string;
  /** Whether the measured share is one that chance explains. */
  readonly isAsPredicted: boolean;
}

export function report({ load, size, calls, before, after }: Run): Report {
  const refused = calls.filter(({ end }) => end === 'refused').length / calls.length;
  const around = meanOf(calls.flatMap((call) => (call.end === 'answered' ? [call.around] : [])));
  const perSecond = calls.length / load.seconds;
  const hold = meanHold(before, after);
  const played = playOnPaper(load, size.slots, around);
  const independent = independentCalls(played, calls.length);
  const [from, to] = confidenceInterval(refused, independent).map(percent);
  const isAsPredicted = refused >= played.low && refused <= played.high;
  const lines = [
    row('', 'predicted', 'measured'),
    row('Calls a second', digits(load.callsPerSecond), digits(perSecond)),
    row('Mean hold', ms(size.meanHold), ms(hold)),
    row('Offered load', digits(size.offeredLoad), digits((perSecond * hold) / 1_000)),
    row('Slots', String(size.slots), String(after.length)),
    row('Refused', percent(size.refused ?? 0), percent(refused)),
    row('  95 % confidence', '', `${from} to ${to}`),
    row('  with set-up, on paper', percent(played.mean), ''),
    row('  these calls, on paper', percent(played.ofLoad), ''),
    '',
    `Measured: ${calls.length} calls in ${load.seconds} s, after ${load.warmUpSeconds} s to fill the pool; the mean hold is over both.`,
    `Predicted: by the command, for the holds alone. A process is taken for ${ms(around)} more in each call, while its`,
    `session is set up and closed. That is counted in on paper, where the same pool was played ${played.times} times.`,
    `Refused calls come in bunches: for the confidence, ${calls.length} calls count as ${independent} independent ones.`,
    `Chance takes 99.9 % of such runs to between ${percent(played.low)} and ${percent(played.high)}: this one ${isAsPredicted ? 'is within' : 'is NOT within'}.`,
  ];
  return { text: lines.join('\n'), isAsPredicted };
}

/** How many independent calls would have the deviation that the runs on paper have. */
function independentCalls({ mean: share, deviation }: Played, calls: number): number {
  return deviation === 0 ? calls : Math.max(1, Math.min(calls, Math.round((share * (1 - share)) / deviation ** 2)));
}

function meanHold(before: readonly HoldStats[], after: readonly HoldStats[]): number {
  const count =
    sum(after.map(({ holdTimes }) => holdTimes.count)) - sum(before.map(({ holdTimes }) => holdTimes.count));
  const timeOf = ({ holdTimes }: HoldStats): number => holdTimes.count * holdTimes.mean;
  return (sum(after.map(timeOf)) - sum(before.map(timeOf))) / count;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: readonly number[]): number {
  return sum(values) / values.length;
}

function row(name: string, predicted: string, measured: string): string {
  return `${name.padEnd(25)}${predicted.padEnd(12)}${measured}`.trimEnd();
}

const digits = (value: number): string => value.toFixed(2);
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
