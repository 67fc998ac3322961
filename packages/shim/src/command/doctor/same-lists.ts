/** Whether every client is shown the same: the same names, and the same definition of each. */
import { type Definitions, differingMembers } from './definitions.ts';
import { type Finding, LISTS, type ListName, type Row } from './model.ts';
import { placesOf } from './places.ts';
import type { Look } from './step.ts';

const MOST_ITEMS = 3;

/** Spec 2026-07-28, tools: a list does not depend on the connection. */
export function sameFinding(look: Look, rows: readonly Row[]): Finding {
  for (const list of LISTS) {
    const [first, ...others] = rows.filter(({ lists }) => lists[list] !== undefined);
    if (first === undefined) continue;
    // A list that is missing on some has been told of where it is missing, unless the server just does not have it there.
    const without = rows.filter(
      ({ lists, notes, ended }) => lists[list] === undefined && notes.length === 0 && ended === undefined,
    );
    for (const other of [...others, ...without]) {
      const seen = differenceOf(look, { list, rows: [first, other] });
      if (seen === '') continue;
      return {
        id: 'same-lists',
        verdict: 'problem',
        seen: `${placesOf([first])} has other ${list} than ${placesOf([other])}: ${seen}`,
        cure: 'register the same for every client; a handler can look at what the client declared when it is called',
        page: 'docs/doctor.md#same-lists',
      };
    }
  }
  return { id: 'same-lists', verdict: 'ok', seen: 'every client is shown the same tools, prompts and resources' };
}

interface Pair {
  readonly list: ListName;
  readonly rows: readonly [Row, Row];
}

/** The first few items that differ, each with how; empty when none does. */
function differenceOf({ tell }: Look, { list, rows: [left, right] }: Pair): string {
  const [here, there] = [definitionsOf(left, list), definitionsOf(right, list)];
  const odd: string[] = [];
  for (const name of new Set([...here.keys(), ...there.keys()])) {
    const [one, other] = [here.get(name), there.get(name)];
    if (one === undefined || other === undefined) odd.push(`${tell(name, 100)} (not on both)`);
    else {
      const members = differingMembers(one, other, left.era !== right.era);
      if (members.length > 0) odd.push(`${tell(name, 100)} (${members.map((member) => tell(member, 80)).join(', ')})`);
    }
  }
  return odd.length > MOST_ITEMS
    ? `${odd.slice(0, MOST_ITEMS).join(', ')} and ${odd.length - MOST_ITEMS} more`
    : odd.join(', ');
}

function definitionsOf({ definitions }: Row, list: ListName): Definitions {
  return definitions?.[list] ?? new Map();
}
