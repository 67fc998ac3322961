/** A report of `checkReentrancy` as text, for the message of an assertion. */
import { wrongType } from '../core/option-checks.ts';
import type { Reentrancy } from './check-reentrancy.ts';
import type { EraCounts, RepeatedEffect } from './repeated-effects.ts';

/** What happened again, where, and what to do about it. @throws TypeError when `report` is none. */
export function formatReentrancy(report: Pick<Reentrancy, 'repeated'>): string {
  const repeated: unknown = typeof report === 'object' && report !== null ? report.repeated : undefined;
  if (!Array.isArray(repeated)) throw wrongType('report', 'a report of checkReentrancy', report);
  if (repeated.length === 0) return 'No side effect happened again.';
  const lines = (repeated as RepeatedEffect[]).map(
    ({ name, script, handshake, modern, cure }) =>
      `- ${name} (${script}): handshake ${textOf(handshake)}; modern ${textOf(modern)}.\n  ${cure}.`,
  );
  return ['Side effects that happened again:', ...lines].join('\n');
}

function textOf({ times, runs }: EraCounts): string {
  if (times === 0) return 'never';
  return `${times} x, in ${runs.length === 1 ? 'run' : 'runs'} ${runs.map((run) => run + 1).join(', ')}`;
}
