/** What the command line says of the run. */
import { parseArgs } from 'node:util';

export interface PoolOptions {
  /** How long calls are counted. */
  readonly seconds: number;
  readonly callsPerSecond: number;
  /** Equal seeds give equal gaps between the calls, and equal answer times. */
  readonly seed: number;
}

/** Below, there would be nothing to compare. */
const FEWEST_CALLS = 20;

/** @throws RangeError for a value that is out of bounds, TypeError for an option that there is not. */
export function readOptions(args: readonly string[]): PoolOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '20' },
      'calls-per-second': { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
    },
  });
  const seconds = numberOf('--seconds', values.seconds, { min: 1, max: 3_600 });
  // Each call held at once takes a process of its own.
  const callsPerSecond = numberOf('--calls-per-second', values['calls-per-second'], { min: 0.1, max: 25 });
  const seed = numberOf('--seed', values.seed, { min: 0, max: 2 ** 31 });
  const calls = seconds * callsPerSecond;
  if (calls < FEWEST_CALLS) {
    throw new RangeError(`--seconds times --calls-per-second must be ${FEWEST_CALLS} calls or more, got ${calls}`);
  }
  return { seconds, callsPerSecond, seed };
}

function numberOf(name: string, text: string, { min, max }: { readonly min: number; readonly max: number }): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new RangeError(`${name} must be a number from ${min} to ${max}, got ${JSON.stringify(text)}`);
}
