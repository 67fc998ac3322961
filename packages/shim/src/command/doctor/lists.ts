/** What a server lists, in names that are fit to be told. */
import { isJsonObject } from '../../core/json.ts';
import { METHOD_NOT_FOUND } from '../../core/json-rpc.ts';
import { rpcErrorOf } from './call-outcome.ts';
import type { ListName, Row } from './model.ts';
import type { OpenClient } from './open-client.ts';
import { type Look, step } from './step.ts';

const MOST_PAGES = 100;
const MOST_ITEMS = 1_000;

export interface Listed {
  readonly names: readonly string[];
  readonly leftOut: readonly string[];
  readonly cut?: Row['cut'];
}

/** Page by page, to its end or as far as anybody would read. @throws what the client throws, or TimeUp. */
export async function listAll(look: Look, name: ListName, opened: OpenClient): Promise<Listed> {
  const names: string[] = [];
  const cursors = new Set<string>();
  let cut: Row['cut'];
  for (let cursor: string | undefined; cut === undefined; ) {
    const { items, nextCursor } = await step(look, () => opened.list(name, cursor));
    const room = MOST_ITEMS - names.length;
    names.push(...items.slice(0, room).map((item) => nameIn(look, name, item)));
    if (nextCursor !== undefined && cursors.has(nextCursor)) {
      cut = { verdict: 'problem', seen: `${name}: page ${cursors.size + 1} has a nextCursor that was there before` };
    } else if (items.length > room || (nextCursor !== undefined && items.length === room)) {
      cut = { verdict: 'warning', seen: `${name}: more than ${MOST_ITEMS}, no more were read` };
    } else if (nextCursor === undefined) break;
    else if (cursors.size === MOST_PAGES - 1) {
      cut = { verdict: 'warning', seen: `${name}: more than ${MOST_PAGES} pages, no more were read` };
    } else cursors.add(nextCursor);
    cursor = nextCursor;
  }
  if (name !== 'tools' || opened.shownTools === undefined) return { names, leftOut: [], ...(cut && { cut }) };
  return { ...(await shownOf(look, opened, { names, isCut: cut !== undefined })), ...(cut && { cut }) };
}

/** What the client shows of the tools. */
async function shownOf(
  look: Look,
  opened: OpenClient,
  { names, isCut }: { names: string[]; isCut: boolean },
): Promise<Listed> {
  try {
    const shown = (await step(look, async () => opened.shownTools?.())) ?? [];
    const told = new Set(shown.map((name) => look.tell(name, 100)));
    return { names: names.filter((name) => told.has(name)), leftOut: names.filter((name) => !told.has(name)) };
  } catch (error) {
    // A client cannot read through what could not be read through here.
    if (isCut) return { names, leftOut: [] };
    throw error;
  }
}

/** The names of a list that should not be there. */
export async function listUndeclared(look: Look, name: ListName, opened: OpenClient): Promise<string[]> {
  try {
    const { items } = await step(look, () => opened.listUnchecked(name));
    return items.slice(0, MOST_ITEMS).map((item) => nameIn(look, name, item));
  } catch (error) {
    if (rpcErrorOf(error).code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

function nameIn(look: Look, list: ListName, item: unknown): string {
  const name = isJsonObject(item) ? item[list === 'resources' ? 'uri' : 'name'] : undefined;
  return look.tell(name, 100);
}
