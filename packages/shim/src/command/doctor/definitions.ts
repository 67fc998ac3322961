/** What is listed of each tool, prompt and resource, and where two such definitions differ. */
import { isJsonObject, isSameJson, ownMember } from '../../core/json.ts';

/** The JSON of each item, by its name: as text, which takes less room than values. */
export type Definitions = ReadonlyMap<string, string>;

const DEEPEST = 8;
const MOST_MEMBERS = 3;
/** Of a resource: they change with time, not with the client. */
const TIMELY: readonly string[] = ['size', 'annotations.lastModified'];

export function textOfItem(item: unknown): string {
  try {
    return JSON.stringify(item) ?? 'null';
  } catch {
    // It is nested too deeply to be written, and would be to be compared.
    return 'null';
  }
}

/**
 * The members in which two items of one name differ, as paths, the first few of them; none when they are the same,
 * whatever the order of their members.
 *
 * @param isAcross - whether they are from two eras.
 */
export function differingMembers(left: string, right: string, isAcross: boolean): string[] {
  if (left === right) return [];
  const items: unknown[] = [JSON.parse(left), JSON.parse(right)];
  const [here, there] = isAcross ? inBothEras(items) : items;
  const paths: string[] = [];
  collect({ here, there }, [], paths);
  return paths;
}

/** Without what the eras have to say in different ways. */
function inBothEras(items: readonly unknown[]): unknown[] {
  // A schema whose root is no object is put into one for clients up to 2025-11-25, which know no other.
  const isPutIn = items.some((item) => {
    const schema = isJsonObject(item) ? item['outputSchema'] : undefined;
    return isJsonObject(schema) && schema['type'] !== 'object';
  });
  return items.map((item) => {
    if (!isJsonObject(item)) return item;
    // Revision 2026-07-28 has no tasks, and so no `execution` of a tool.
    const { execution: _execution, outputSchema, ...rest } = item;
    return isPutIn ? rest : { ...rest, outputSchema };
  });
}

interface Both {
  readonly here: unknown;
  readonly there: unknown;
}

function collect({ here, there }: Both, path: readonly string[], paths: string[]): void {
  if (paths.length >= MOST_MEMBERS || TIMELY.includes(path.join('.')) || isSameJson(here, there)) return;
  if (!isJsonObject(here) || !isJsonObject(there) || path.length >= DEEPEST) {
    paths.push(path.length === 0 ? 'all of it' : path.join('.'));
    return;
  }
  for (const name of new Set([...Object.keys(here), ...Object.keys(there)])) {
    collect({ here: ownMember(here, name), there: ownMember(there, name) }, [...path, name], paths);
  }
}
