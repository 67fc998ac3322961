/** Differences as text, for the message of an assertion. */
import { isJsonObject, isSameJson } from '../core/json.ts';
import { wrongType } from '../core/option-checks.ts';
import type { Difference } from './differences.ts';

/** What each era saw, and the paths at which the two differ. @throws TypeError when `differences` is no list. */
export function formatDifferences(differences: readonly Difference[]): string {
  if (!Array.isArray(differences)) throw wrongType('differences', 'a list of differences', differences);
  if (differences.length === 0) return 'No differences between the eras.';
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return [`${count} between the eras:`, ...differences.map(formatOne)].join('\n');
}

function formatOne({ what, handshake, modern }: Difference, index: number): string {
  const paths = handshake === undefined || modern === undefined ? [] : pathsOf(handshake, modern);
  const where = paths.length === 0 || paths.includes('') ? '' : `, at ${paths.join(', ')}`;
  return [
    `${index + 1}. ${what}${where}`,
    `   handshake: ${textOf(handshake)}`,
    `   modern:    ${textOf(modern)}`,
  ].join('\n');
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** The paths of the innermost members that differ. */
function pathsOf(left: unknown, right: unknown, path = ''): string[] {
  if (isSameJson(left, right)) return [];
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return [path];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const inner = Array.isArray(left) ? `${path}[${name}]` : `${path}${path === '' ? '' : '.'}${name}`;
    return pathsOf(memberOf(left, name), memberOf(right, name), inner);
  });
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isJsonObject(value);
}

function memberOf(container: object, name: string): unknown {
  return Object.hasOwn(container, name) ? (container as Record<string, unknown>)[name] : undefined;
}
