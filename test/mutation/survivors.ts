/** Which mutants nothing notices, which of those may live, and what share of all that is. */
import { readFileSync } from 'node:fs';
import { isAlive, type Mutant, type Mutated, type Report } from './report.ts';

interface Listed {
  readonly why: string;
  readonly mutants: readonly string[];
}

const LIST: readonly Listed[] = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'));
const listed = new Set(LIST.flatMap(({ mutants }) => mutants));

const DEAD = ['Killed', 'Timeout'];

/** Whether survivors.json says why `mutant` may live. */
export const isListed = (mutant: Mutant, where: Mutated): boolean => listed.has(nameOf(mutant, where));

/** The mutants of `report` that nothing notices and survivors.json does not have. */
export function unlisted({ files }: Report): string[] {
  const alive = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(isAlive).map((mutant) => nameOf(mutant, { file, source })),
  );
  return [...new Set(alive)].filter((name) => !listed.has(name));
}

export function verdictOf(reports: readonly Report[]): { readonly score: number; readonly text: string } {
  const all = reports.flatMap(({ files }) => Object.values(files).flatMap(({ mutants }) => mutants));
  const count = (statuses: readonly string[]): number => all.filter(({ status }) => statuses.includes(status)).length;
  const [dead, alive] = [count(DEAD), all.filter(isAlive).length];
  const score = (100 * dead) / (dead + alive);
  const failed = count(['RuntimeError', 'CompileError']);
  return { score, text: `${score.toFixed(1)} %: ${dead} noticed, ${alive} not, ${failed} in error` };
}

/** A name for `mutant` that stays when lines move. */
function nameOf({ mutatorName, replacement, location }: Mutant, { file, source }: Mutated): string {
  const text = (value: string): string => value.replaceAll(/\s+/g, ' ').slice(0, 160);
  const code = between(source.split('\n'), location.start, location.end);
  return `${file.replace('packages/shim/src/', '')}: ${mutatorName}: ${text(code)} => ${text(replacement)}`;
}

function between(lines: readonly string[], start: Mutant['location']['start'], end: Mutant['location']['end']): string {
  const part = lines.slice(start.line - 1, end.line);
  const last = part.length - 1;
  return part
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n');
}
