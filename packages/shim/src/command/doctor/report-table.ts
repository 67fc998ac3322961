/** A report for people: one line for each client, then what each call came to, then the findings. */
import type { Era } from '../../core/revision.ts';
import { CAPABILITIES, type ClientKind, type Finding, LISTS, type Question, type Report, type Row } from './model.ts';

const HEADINGS = ['Era', 'Client', 'Revision', 'Tools', 'Prompts', 'Resources', 'Verdict'] as const;
const MARKS = { problem: 'PROBLEM', warning: 'Warning', ok: 'ok' } as const;

export function reportTable(report: Report): string {
  const server = report.rows.find((row) => row.server !== undefined)?.server;
  const title = server === undefined ? report.target : `${server.name} ${server.version} at ${report.target}`;
  const rows = [HEADINGS, ...report.rows.map(cellsOf)];
  const widths = HEADINGS.map((_heading, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const table = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${[title, '', ...table, ...callLines(report), '', ...findingLines(report.findings), summary(report.findings)].join('\n')}\n`;
}

function cellsOf({ era, client, revision = '-', lists, state, verdict }: Row): readonly string[] {
  const counts = LISTS.map((name) => String(lists[name]?.length ?? '-'));
  return [era, client, revision, ...counts, state === 'open' ? verdict : `${verdict} (${state})`];
}

function callLines({ rows, call }: Report): string[] {
  if (call === undefined) return [];
  const lines = rows.flatMap(({ era, client, call: report }) => {
    if (report === undefined) return [];
    const asked = report.questions.map(
      (question) => `    asked, and ${answerText(era, client, question.kind)}: ${questionText(question)}`,
    );
    return [`  ${era}, ${client}`, ...asked, `    came to: ${report.seen}`];
  });
  return ['', `Calls of ${call.tool}. No question was accepted.`, ...lines];
}

/** Only an elicitation can be declined. */
function answerText(era: Era, client: ClientKind, kind: string): string {
  if (kind === 'form' || kind === 'url') return 'declined';
  if (kind === 'roots' && Object.hasOwn(CAPABILITIES[client], 'roots')) return 'answered with an empty list';
  return era === 'modern' ? 'not answered' : 'answered with an error';
}

function questionText({ kind, message, fields, origin }: Question): string {
  const what = fields.length === 0 ? '' : ` [${fields.join(', ')}]`;
  return `${kind}${origin === undefined ? '' : ` at ${origin}`}${message === '' ? '' : ` "${message}"`}${what}`;
}

function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, verdict, seen, cure, page }) => {
    const line = `${MARKS[verdict].padEnd(7)}  ${id}: ${seen}`;
    return cure === undefined ? [line] : [line, `         Do this: ${cure} (${page ?? `docs/doctor.md#${id}`})`];
  });
}

function summary(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length;
  const many = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `\n${many(count('problem'), 'problem')}, ${many(count('warning'), 'warning')}, ${count('ok')} ok`;
}
