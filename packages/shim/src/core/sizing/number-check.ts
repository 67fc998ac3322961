/** Checks of numbers that need not be integers. The message ends `, got X`. */
import { describeValue } from '../json.ts';
import { wrongType } from '../option-checks.ts';

/** No time is longer: a bound that keeps every product finite, and above what any clock counts. */
export const LONGEST_TIME: number = Number.MAX_SAFE_INTEGER;

/** A number for which `isAllowed` holds; `wanted` says which those are. */
export function numberThat(
  name: string,
  value: unknown,
  { wanted, isAllowed }: { readonly wanted: string; readonly isAllowed: (value: number) => boolean },
): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (!isAllowed(value)) throw new RangeError(`${name} must be ${wanted}, got ${describeValue(value)}`);
  return value;
}

/** A number above 0, and finite. */
export function positive(name: string, value: unknown, max: number = Number.MAX_VALUE): number {
  const wanted = max === Number.MAX_VALUE ? 'a finite number above 0' : `a number above 0 and at most ${max}`;
  return numberThat(name, value, { wanted, isAllowed: (number) => number > 0 && number <= max });
}
