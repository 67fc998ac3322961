/** The command `mcp-dual-era size`: from its flags to what it prints. */
import { LONGEST_DELAY } from '../core/option-checks.ts';
import type { AnswerTime } from '../core/sizing/answer-time.ts';
import { type PoolInput, type PoolSize, type PoolTarget, sizeWorkerPool } from '../core/sizing/size-worker-pool.ts';
import { FlagError } from './flag-error.ts';
import { readDuration, readInteger, readNumber, readShare, wrongFlag } from './flag-values.ts';
import { type Metrics, readMetrics } from './metrics-file.ts';
import { plotSize } from './plot.ts';
import { readSizeFlags, SIZE_HELP, type SizeFlags } from './size-flags.ts';
import { sizeTable } from './size-table.ts';

/**
 * What the command prints; the plot is written on the way.
 *
 * @throws FlagError for flags, or a file, that are wrong.
 */
export async function size(args: readonly string[]): Promise<string> {
  const flags = readSizeFlags(args);
  if (flags.isHelp) return SIZE_HELP;
  const plot = flags.read('plot', readPlotPath);
  const input = readInput(
    flags,
    flags.read('from', (_flag, path) => readMetrics(path)),
  );
  const result = sizeOf(input, flags);
  if (plot !== undefined) await plotSize(input.target, result, plot);
  return flags.isJson ? `${JSON.stringify(result, null, 2)}\n` : sizeTable(result);
}

function readInput(flags: SizeFlags, metrics: Metrics | undefined): PoolInput {
  const roundTimeout = (flag: string, text: string): number => readDuration(flag, text, LONGEST_DELAY);
  return {
    callsPerSecond: needed('--calls-per-second', flags.read('calls-per-second', readNumber) ?? metrics?.callsPerSecond),
    rounds: flags.read('rounds', readNumber) ?? metrics?.rounds ?? 1,
    answerTime: readAnswerTime(flags, metrics),
    roundTimeout: flags.read('round-timeout', roundTimeout),
    maxRounds: flags.read('max-rounds', readInteger),
    requestLimit: flags.read('request-limit', readDuration),
    target: readTarget(flags),
  };
}

function readAnswerTime(flags: SizeFlags, metrics: Metrics | undefined): AnswerTime {
  const mean = flags.read('answer-time', readDuration);
  const p95 = flags.read('answer-p95', readDuration);
  if (mean === undefined && p95 !== undefined) {
    throw new FlagError('--answer-p95 must be given with --answer-time, got it alone');
  }
  if (mean !== undefined) return p95 === undefined ? { mean, shape: 'exponential' } : { mean, p95, shape: 'lognormal' };
  return { histogram: needed('--answer-time', metrics?.answerTimes) };
}

function readTarget(flags: SizeFlags): PoolTarget {
  const refused = flags.read('refused', readShare);
  const delayed = flags.read('delayed', readShare);
  if ((refused === undefined) === (delayed === undefined)) {
    const got = refused === undefined ? 'neither' : 'both';
    throw new FlagError(`one of --refused and --delayed must be given, such as --refused 1%, got ${got}`);
  }
  return refused === undefined ? { delayed: needed('--delayed', delayed) } : { refused };
}

function needed<Value>(flag: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new FlagError(`${flag} must be given, or --from, got neither`);
}

function readPlotPath(flag: string, text: string): string {
  if (text.endsWith('.svg')) return text;
  throw wrongFlag(flag, 'a file whose name ends in .svg', text);
}

/** The sizing names its options; a mistake is told by the flag, or the file, that the option came from. */
function sizeOf(input: PoolInput, flags: SizeFlags): PoolSize {
  const origins: Readonly<Record<string, string>> = {
    callsPerSecond: flags.has('calls-per-second') ? '--calls-per-second' : '--from: calls per second',
    rounds: flags.has('rounds') ? '--rounds' : '--from: answerTimes.count / calls',
    'answerTime.mean': '--answer-time',
    'answerTime.p95': '--answer-p95',
    'answerTime.histogram': '--from: answerTimes',
  };
  try {
    return sizeWorkerPool(input);
  } catch (cause) {
    if (!(cause instanceof RangeError) && !(cause instanceof TypeError)) throw cause;
    const message = cause.message.replaceAll(
      /\b(?:callsPerSecond|rounds|answerTime\.\w+)\b/g,
      (name) => origins[name] ?? name,
    );
    throw new FlagError(message, { cause });
  }
}
