/** Canonical JSON (RFC 8785): the same text for the same value, whatever the order of its members. */
import { DEEPEST, describeValue } from './json.ts';

/**
 * `value` in canonical JSON. A member that is undefined does not exist on the wire, so it is left out.
 *
 * @throws TypeError when it is no JSON value, RangeError when it is nested deeper than 512 levels.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new RangeError(`A JSON value must be nested at most ${DEEPEST} levels deep`);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((entry: unknown) => canonicalJson(entry, depth + 1)).join()}]`;
  if (typeof value !== 'object') throw new TypeError(`Expected a JSON value, got ${describeValue(value)}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // By code units, as RFC 8785 has it, and not by locale.
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${texts.join()}}`;
}
