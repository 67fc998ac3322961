/** The flags of a command line, before anybody looks at their values. */
import { parseArgs } from 'node:util';
import { describeValue } from '../core/json.ts';
import { FlagError } from './flag-error.ts';

export interface FlagNames {
  /** Flags with a value. */
  readonly texts: readonly string[];
  readonly toggles: readonly string[];
  /** Those of `texts` that may be given more than once. */
  readonly repeatable?: readonly string[];
}

export interface Tokens {
  /** The values of each flag, in order; a toggle has an empty one. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** What stands there without a flag. */
  readonly places: readonly string[];
}

/** @throws FlagError for a flag that is not known, was given too often, or has a value too many or too few. */
export function readTokens(args: readonly string[], names: FlagNames): Tokens {
  const { texts, toggles, repeatable = [] } = names;
  const typed = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const options = Object.fromEntries([...texts.map(typed('string')), ...toggles.map(typed('boolean'))]);
  // Not strict: what is wrong is then said here, in the words of the other messages.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const given = new Map<string, string[]>();
  const places: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') places.push(token.value);
    if (token.kind !== 'option') continue;
    const { value } = token;
    const [name, rawName] = token.rawName === '-h' ? ['help', '--help'] : [token.name, token.rawName];
    const isToggle = toggles.includes(name);
    if ((!isToggle && !texts.includes(name)) || rawName !== `--${name}`) throw unknownFlag(rawName, names);
    const before = given.get(name) ?? [];
    if (before.length > 0 && !repeatable.includes(name)) {
      throw new FlagError(`${rawName} must be given once, got it twice`);
    }
    if (isToggle && value !== undefined) {
      throw new FlagError(`${rawName} must have no value, got ${describeValue(value)}`);
    }
    if (!isToggle && value === undefined) throw new FlagError(`${rawName} must have a value, got none`);
    given.set(name, [...before, value ?? '']);
  }
  return { given, places };
}

/** What is thrown for `given` where a flag of `names` was to be. */
export function unknownFlag(given: string, { texts, toggles }: FlagNames): FlagError {
  const known = [...texts, ...toggles].map((flag) => `--${flag}`).join(', ');
  return new FlagError(`a flag must be one of ${known}, got ${describeValue(given)}`);
}
