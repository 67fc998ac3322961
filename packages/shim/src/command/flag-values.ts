/** The values of flags: numbers, durations and shares, from text. The message names the flag and ends `, got X`. */
import { describeValue } from '../core/json.ts';
import { LONGEST_TIME } from '../core/sizing/number-check.ts';
import { FlagError } from './flag-error.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const SHARE = /^(\d+(?:\.\d+)?)( ?%)?$/;
const NUMBER = /^\d+(?:\.\d+)?$/;

/** What is thrown for a flag whose value is `text`. */
export function wrongFlag(flag: string, wanted: string, text: string): FlagError {
  return new FlagError(`${flag} must be ${wanted}, got ${describeValue(text)}`);
}

/** A number above 0. */
export function readNumber(flag: string, text: string): number {
  const value = NUMBER.test(text) ? Number(text) : 0;
  if (value > 0 && Number.isFinite(value)) return value;
  throw wrongFlag(flag, 'a number above 0', text);
}

/** An integer of 1 or more. */
export function readInteger(flag: string, text: string): number {
  const value = NUMBER.test(text) ? Number(text) : 0;
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw wrongFlag(flag, `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`, text);
}

/** Whole milliseconds, from `20s`, `500ms`, `2m` or `1.5h`. */
export function readDuration(flag: string, text: string, most: number = LONGEST_TIME): number {
  const [, digits = '', unit = ''] = DURATION.exec(text) ?? [];
  // 1.005 x 1000 is 1004.9999999999999.
  const value = Math.round(Number(digits) * (UNITS[unit] ?? 0));
  if (value >= 1 && value <= most) return value;
  throw wrongFlag(flag, `a duration such as 20s, 500ms, 2m or 1.5h, from 1ms to ${most}ms`, text);
}

/** A share above 0 and below 1, from `1%` or `0.01`. */
export function readShare(flag: string, text: string): number {
  const [, digits = '', percent] = SHARE.exec(text) ?? [];
  const value = Number(digits) / (percent === undefined ? 1 : 100);
  if (value > 0 && value < 1) return value;
  throw wrongFlag(flag, 'a share above 0 and below 1, such as 1% or 0.01', text);
}
