/** What a server lists: names that are fit to be told, and definitions to be compared. */
import { isJsonObject } from '../../core/json.ts';
import { METHOD_NOT_FOUND } from '../../core/json-rpc.ts';
import { rpcErrorOf } from './call-outcome.ts';
import { type Definitions, textOfItem } from './definitions.ts';
import { hasAllowedHeaders } from './header-rule.ts';
import type { ListName, Row } from './model.ts';
import type { OpenClient } from './open-client.ts';
import { type Look, step } from './step.ts';

const MOST_PAGES = 100;
const MOST_ITEMS = 1_000;

export interface Listed {
  readonly names: readonly string[];
  /** Of each that is shown, by its name as it came. */
  readonly definitions: Definitions;
  /** Which tools a client leaves out, for what they want in a header. */
  readonly leftOut: readonly string[];
  readonly cut?: Row['cut'];
}

/** Page by page, to its end or as far as anybody would read. @throws what the client throws, or TimeUp. */
export async function listAll(look: Look, name: ListName, opened: OpenClient): Promise<Listed> {
  const all: unknown[] = [];
  const cursors = new Set<string>();
  let cut: Row['cut'];
  for (let cursor: string | undefined; cut === undefined; ) {
    const { items, nextCursor } = await step(look, () => opened.list(name, cursor));
    const room = MOST_ITEMS - all.length;
    all.push(...items.slice(0, room));
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
  if (name === 'tools') await readAsClient(look, opened, cut !== undefined);
  const isShown = (item: unknown): boolean => name !== 'tools' || !opened.needsHeaders || hasAllowedHeaders(item);
  const { names: leftOut } = told(
    look,
    name,
    all.filter((item) => !isShown(item)),
  );
  return { ...told(look, name, all.filter(isShown)), leftOut, ...(cut && { cut }) };
}

async function readAsClient(look: Look, opened: OpenClient, isCut: boolean): Promise<void> {
  try {
    await step(look, async () => opened.readTools?.());
  } catch (error) {
    // A client cannot read through what could not be read through here.
    if (!isCut) throw error;
  }
}

/** A list that should not be there: one page of it. */
export async function listUndeclared(look: Look, name: ListName, opened: OpenClient): Promise<Listed> {
  try {
    const { items } = await step(look, () => opened.listUnchecked(name));
    return { ...told(look, name, items.slice(0, MOST_ITEMS)), leftOut: [] };
  } catch (error) {
    if (rpcErrorOf(error).code === METHOD_NOT_FOUND) return { names: [], definitions: new Map(), leftOut: [] };
    throw error;
  }
}

function told(look: Look, list: ListName, items: readonly unknown[]): Pick<Listed, 'names' | 'definitions'> {
  const named = items.map((item) => [
    isJsonObject(item) ? item[list === 'resources' ? 'uri' : 'name'] : undefined,
    item,
  ]);
  return {
    names: named.map(([name]) => look.tell(name, 100)),
    definitions: new Map(named.map(([name, item]) => [String(name), textOfItem(item)])),
  };
}
