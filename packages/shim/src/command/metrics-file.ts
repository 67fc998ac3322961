/** The figures of a running pool, from a file: the JSON of `holds.stats()`, or of `handler.stats()`, which holds it. */
import { closeSync, openSync, readSync } from 'node:fs';
import { describeValue, isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { TimeDistribution } from '../core/time-distribution.ts';
import { FlagError } from './flag-error.ts';

const MOST_BYTES = 16 * 1024 * 1024;

export interface Metrics {
  readonly answerTimes: TimeDistribution;
  /** Per call. */
  readonly rounds: number;
  readonly callsPerSecond: number;
}

/**
 * Reads `path`, the value of --from. The answer times are checked where they are used.
 *
 * @throws FlagError when it cannot be read, is too long, or is no such JSON.
 */
export function readMetrics(path: string): Metrics {
  const file = `in ${describeValue(path)}`;
  const parsed = parse(readBounded(path), file);
  const nested = isJsonObject(parsed) ? ownMember(parsed, 'holds') : undefined;
  const stats = isJsonObject(nested) ? nested : parsed;
  if (!isJsonObject(stats)) throw wrongMetrics('an object', `${describeValue(stats)} ${file}`);
  const calls = figure(stats, 'calls', file);
  const elapsedMs = figure(stats, 'elapsedMs', file);
  // Calls that were refused wanted a slot too.
  const refused = ownMember(stats, 'refused') === undefined ? 0 : figure(stats, 'refused', file);
  const answerTimes = ownMember(stats, 'answerTimes');
  if (!isJsonObject(answerTimes)) {
    throw new FlagError(`--from: answerTimes must be an object, got ${describeValue(answerTimes)} ${file}`);
  }
  // Rounds that asked nothing are no answers.
  const answers = figure(answerTimes, 'count', file, 'answerTimes.count');
  for (const [name, value] of Object.entries({ calls, elapsedMs, 'answerTimes.count': answers })) {
    if (value === 0)
      throw new FlagError(`--from: ${name} must be above 0 (nothing has been measured yet), got 0 ${file}`);
  }
  return {
    answerTimes: answerTimes as unknown as TimeDistribution,
    rounds: answers / calls,
    callsPerSecond: (calls + refused) / (elapsedMs / 1_000),
  };
}

/** A pipe has no size to ask for, so what is read is counted. */
function readBounded(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(MOST_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = readSync(descriptor, bytes, length, bytes.length - length, null);
      }
      if (length > MOST_BYTES)
        throw new FlagError(`--from must be a file of at most 16 MiB, got more in ${describeValue(path)}`);
      return bytes.toString('utf8', 0, length);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof FlagError) throw error;
    throw new FlagError(`--from must be a file that can be read, got ${describeValue(path)} (${codeOf(error)})`, {
      cause: error,
    });
  }
}

function parse(text: string, file: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw wrongMetrics('JSON', `other text ${file}`, cause);
  }
}

function figure(stats: JsonObject, name: string, file: string, label: string = name): number {
  const value = ownMember(stats, name);
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw new FlagError(`--from: ${label} must be a number from 0, got ${describeValue(value)} ${file}`);
}

function wrongMetrics(wanted: string, got: string, cause?: unknown): FlagError {
  return new FlagError(`--from must be a file of ${wanted}, as holds.stats() gives it, got ${got}`, { cause });
}

/** `ENOENT` and the like. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
