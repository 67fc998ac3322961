/** Checks of answers, which may have been written by hand. A message names the member, and ends `, got X`. */
import { ownMember } from '../core/json.ts';
import { integer, LONGEST_DELAY, object, wrongType } from '../core/option-checks.ts';
import type { Answer } from './answers.ts';

const BUILDERS = ['accept', 'decline', 'cancel', 'sample', 'roots', 'fail', 'raw', 'later', 'never', 'disconnect'];

/** @throws TypeError when `value` is no answer, or has a member of the wrong type; RangeError for a wrong time. */
export function requireAnswer(name: string, value: unknown): Answer {
  const said = typeof value === 'object' && value !== null && 'said' in value ? value.said : undefined;
  if (typeof said !== 'string' || !BUILDERS.includes(said)) {
    throw wrongType(name, `an answer, made by ${BUILDERS.map((builder) => `${builder}()`).join(', ')}`, value);
  }
  const answer = value as Answer;
  requireMembers(name, answer);
  return answer;
}

function requireMembers(name: string, answer: Answer): void {
  if (answer.said === 'accept' && answer.content !== undefined) {
    object(`${name}.content`, answer.content);
    requireJson(`${name}.content`, answer.content);
  } else if (answer.said === 'sample') {
    object(`${name}.result`, answer.result);
    requireJson(`${name}.result`, answer.result);
  } else if (answer.said === 'raw') {
    requireJson(`${name}.result`, answer.result);
  } else if (answer.said === 'roots') {
    if (!Array.isArray(answer.roots)) throw wrongType(`${name}.roots`, 'a list of roots', answer.roots);
    requireJson(`${name}.roots`, answer.roots);
  } else if (answer.said === 'fail') {
    if (!Number.isInteger(answer.code)) throw wrongType(`${name}.code`, 'an integer', answer.code);
    if (typeof answer.message !== 'string') throw wrongType(`${name}.message`, 'a string', answer.message);
  } else if (answer.said === 'later') {
    integer(`${name}.ms`, answer.ms, LONGEST_DELAY);
    requireAnswer(`${name}.answer`, answer.answer);
  }
}

/** @throws TypeError when `value` cannot travel as JSON; it names the member that cannot. */
export function requireJson(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
    throw wrongType(name, 'JSON', value);
  }
  requireMembersOfJson(name, value, []);
}

// Members that are undefined, functions or symbols are left out by JSON, as everybody expects.
function requireMembersOfJson(name: string, value: unknown, around: readonly unknown[]): void {
  if (typeof value === 'bigint') throw wrongType(name, 'JSON', value);
  if (typeof value !== 'object' || value === null) return;
  if (around.includes(value)) throw new TypeError(`${name} must be JSON, got an object that is inside of itself`);
  for (const key of Object.keys(value)) {
    const inner = Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`;
    requireMembersOfJson(inner, ownMember(value as Record<string, unknown>, key), [...around, value]);
  }
}
