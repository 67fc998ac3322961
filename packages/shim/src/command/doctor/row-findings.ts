/** What the rows say together. */
import { type Era, type Finding, LISTS, type ListName, type Row } from './model.ts';

export function rowFindings(rows: readonly Row[]): Finding[] {
  const open = rows.filter(({ state }) => state === 'open');
  const opens = openFinding(rows);
  if (open.length === 0) return opens.verdict === 'ok' ? [] : [opens];
  return [opens, declaredFinding(open), ...cutFindings(open), sameFinding(open), ...callFindings(open)];
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

/** Spec 2026-07-28, tools: a list does not depend on the connection. */
function sameFinding(rows: readonly Row[]): Finding {
  for (const list of LISTS) {
    const [first, ...others] = rows.filter(({ lists }) => lists[list] !== undefined);
    // A list that is missing on some has been told of where it is missing, unless the server just does not have it there.
    const without =
      first === undefined
        ? []
        : rows.filter(
            ({ lists, notes, ended }) => lists[list] === undefined && notes.length === 0 && ended === undefined,
          );
    const different = first === undefined ? undefined : (others.find((row) => !isSame(first, row, list)) ?? without[0]);
    if (first === undefined || different === undefined) continue;
    return {
      id: 'same-lists',
      verdict: 'problem',
      seen: `${placesOf([first])} has other ${list} than ${placesOf([different])}: ${differenceOf(first, different, list)}`,
      cure: 'register the same for every client; a handler can look at what the client declared when it is called',
      page: 'docs/doctor.md#same-lists',
    };
  }
  return { id: 'same-lists', verdict: 'ok', seen: 'every client is shown the same tools, prompts and resources' };
}

function isSame(left: Row, right: Row, list: ListName): boolean {
  return differenceOf(left, right, list) === '';
}

function differenceOf(left: Row, right: Row, list: ListName): string {
  const [here, there] = [left.lists[list] ?? [], right.lists[list] ?? []];
  const odd = [...here.filter((name) => !there.includes(name)), ...there.filter((name) => !here.includes(name))];
  return odd.length > 3 ? `${odd.slice(0, 3).join(', ')} and ${odd.length - 3} more` : odd.join(', ');
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

/** `handshake: none, form; modern: all`. */
function placesOf(rows: readonly Row[]): string {
  const eras: readonly Era[] = ['handshake', 'modern'];
  return eras
    .map((era) => [era, rows.filter((row) => row.era === era).map(({ client }) => client)] as const)
    .filter(([, clients]) => clients.length > 0)
    .map(([era, clients]) => `${era}: ${clients.join(', ')}`)
    .join('; ');
}
