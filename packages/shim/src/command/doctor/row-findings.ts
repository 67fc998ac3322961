/** What the rows say together. */
import type { Finding, Row } from './model.ts';
import { placesOf } from './places.ts';
import { sameFinding } from './same-lists.ts';
import type { Look } from './step.ts';

export function rowFindings(look: Look, rows: readonly Row[]): Finding[] {
  const open = rows.filter(({ state }) => state === 'open');
  const opens = openFinding(rows);
  if (open.length === 0) return opens.verdict === 'ok' ? [] : [opens];
  return [opens, declaredFinding(open), ...cutFindings(open), sameFinding(look, open), ...callFindings(open)];
}

function openFinding(rows: readonly Row[]): Finding {
  const failed = rows.filter(({ state, verdict }) => state !== 'open' && verdict === 'problem');
  const [first] = failed;
  if (first === undefined) return { id: 'clients', verdict: 'ok', seen: 'every kind of client opens' };
  return {
    id: 'clients',
    verdict: 'problem',
    seen: `does not open for ${placesOf(failed)}: ${first.notes[0] ?? ''}`,
    cure: 'open for clients with any capabilities, or none',
    page: 'docs/doctor.md#clients',
  };
}

function declaredFinding(rows: readonly Row[]): Finding {
  const wrong = rows.filter(({ notes }) => notes.length > 0);
  const [first] = wrong;
  if (first === undefined)
    return { id: 'declared', verdict: 'ok', seen: 'what is declared is served, and nothing else' };
  return {
    id: 'declared',
    verdict: 'problem',
    seen: `${placesOf(wrong)}: ${first.notes.join('; ')}`,
    cure: 'declare in the capabilities what there is, and nothing else',
    page: 'docs/doctor.md#declared',
  };
}

function cutFindings(rows: readonly Row[]): Finding[] {
  const met = rows.filter(({ cut }) => cut !== undefined);
  const first = met.find(({ cut }) => cut?.verdict === 'problem') ?? met[0];
  if (first?.cut === undefined) return [];
  const { verdict, seen } = first.cut;
  const cure = 'leave nextCursor out on the last page, and keep lists short: clients read them whole';
  return [{ id: 'pages', verdict, seen: `${placesOf(met)}: ${seen}`, cure, page: 'docs/doctor.md#pages' }];
}

/** One for each way a call went, with all that met it. */
function callFindings(rows: readonly Row[]): Finding[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.call === undefined) continue;
    const key = JSON.stringify([
      row.call.verdict === 'ok',
      row.call.outcome,
      row.call.verdict === 'ok' ? '' : row.call.seen,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((met) => {
    const call = met[0]?.call;
    if (call === undefined) return [];
    const { verdict, outcome, seen, cure, page } = call;
    const what = verdict === 'ok' ? outcome : seen;
    return [
      {
        id: 'call',
        verdict,
        seen: `${what} (${placesOf(met)})`,
        ...(cure === undefined ? {} : { cure }),
        ...(page === undefined ? {} : { page }),
      },
    ];
  });
}
