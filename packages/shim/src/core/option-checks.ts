/**
 * Checks of options, done once where they are given. A wrong type is a TypeError, a wrong value a RangeError, and the
 * message ends `, got X`.
 */
import { describeValue } from './json.ts';

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_DELAY = 2_147_483_647;

/** An integer from `min` to `max`. */
export function integer(name: string, value: unknown, max: number = Number.MAX_SAFE_INTEGER, min = 1): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer from ${min} to ${max}, got ${value}`);
  }
  return value;
}

/** True or false. */
export function boolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrongType(name, 'true or false', value);
}

/** One of the texts `choices`. */
export function oneOf<const Choice extends string>(name: string, value: unknown, choices: readonly Choice[]): Choice {
  const names = choices.map((choice) => `'${choice}'`).join(' or ');
  if (typeof value !== 'string') throw wrongType(name, names, value);
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw new RangeError(`${name} must be ${names}, got ${describeValue(value)}`);
  return choice;
}

/** A function, or none. */
export function callback<Callback>(name: string, value: Callback | undefined): Callback | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw wrongType(name, 'a function', value);
}

/** An object that is no list. A text in its place may be a secret, so it is not repeated. */
export function object(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw wrongSecret(name, 'an object', value);
}

/** What is thrown for a value of the wrong type that may be a secret, such as a key or a URL with a password in it. */
export function wrongSecret(name: string, wanted: string, value: unknown): TypeError {
  return typeof value === 'string'
    ? new TypeError(`${name} must be ${wanted}, got a string`)
    : wrongType(name, wanted, value);
}

/** What is thrown for a value of the wrong type. */
export function wrongType(name: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${name} must be ${wanted}, got ${describeValue(value)}`);
}

/** Refuses members that are no options: whoever gave one believes that it counts. */
export function knownOptions(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${name} must have no members but ${known.join(', ')}, got ${describeValue(unknown)}`);
}
