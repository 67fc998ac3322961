/** A report of `checkReentrancy` as text, for the message of an assertion. */
import { wrongType } from '../core/option-checks.ts';
import type { Reentrancy } from './check-reentrancy.ts';
import type { EraCounts, RepeatedEffect } from './repeated-effects.ts';

const NONE = 'No side effect happened again.';
// Not in the words of a pass: an assertion that expects those must not hold where nothing was watched.
const UNWATCHED =
  'No side effect was noted, so none can be seen to happen again: ' +
  'tell of each by context.effects.note(name), or give a probe.';

/** What happened again, where, and what to do about it. @throws TypeError when `report` is none. */
export function formatReentrancy(
  report: Pick<Reentrancy, 'repeated'> & Partial<Pick<Reentrancy, 'maybe' | 'noted'>>,
): string {
  const repeated: unknown = typeof report === 'object' && report !== null ? report.repeated : undefined;
  if (!Array.isArray(repeated)) throw wrongType('report', 'a report of checkReentrancy', report);
  const maybe = report.maybe ?? [];
  const parts = [
    ...textsOf('Side effects that happened again:', repeated as RepeatedEffect[]),
    ...textsOf('Side effects that may have happened again:', maybe),
  ];
  if (parts.length > 0) return parts.join('\n');
  return report.noted?.length === 0 ? UNWATCHED : NONE;
}

function textsOf(title: string, effects: readonly RepeatedEffect[]): string[] {
  if (effects.length === 0) return [];
  const lines = effects.map(
    ({ name, script, handshake, modern, cure }) =>
      `- ${name} (${script}): handshake ${textOf(handshake)}; modern ${textOf(modern)}.\n  ${cure}.`,
  );
  return [title, ...lines];
}

function textOf({ times, runs }: EraCounts): string {
  if (times === 0) return 'never';
  return `${times} x, in ${runs.length === 1 ? 'run' : 'runs'} ${runs.map((run) => run + 1).join(', ')}`;
}
