/** The tools that an instance lists. */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Instance } from './instance.ts';

// A server whose list has no end must not keep a call from being answered.
const MOST_PAGES = 100;

/** Every tool of `instance`, page by page. */
export async function* listTools(instance: Instance): AsyncGenerator<JsonObject> {
  if (!instance.handles('tools/list')) return;
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tools, nextCursor } = await instance.ask('tools/list', cursor === undefined ? {} : { cursor });
    if (Array.isArray(tools)) yield* tools.filter(isJsonObject);
    if (typeof nextCursor !== 'string') return;
    cursor = nextCursor;
  }
}

export async function findTool(instance: Instance, name: unknown): Promise<JsonObject | undefined> {
  for await (const tool of listTools(instance)) if (tool['name'] === name) return tool;
  return undefined;
}
