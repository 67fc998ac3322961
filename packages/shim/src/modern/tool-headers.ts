/**
 * Which tools have arguments that travel in headers too (spec: streamable-http, `x-mcp-header`).
 *
 * The engine asks for the input schema of a tool before the call reaches its handler, and asks synchronously, so the
 * schemas are kept: for each caller, since what a server lists may depend on who asks.
 */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Instance } from './instance.ts';
import { listTools } from './tool-list.ts';

/** By the tool's name: its input schema where that names headers, else null. */
type Schemas = ReadonlyMap<unknown, JsonObject | null>;

const MOST_CALLERS = 256;

export class ToolHeaders {
  readonly #byCaller = new Map<string, Schemas>();

  /** The input schema of the tool `name`, if any of its arguments has a header. */
  async schemaOf(name: unknown, caller: string | undefined, instance: Instance): Promise<JsonObject | undefined> {
    const known = caller === undefined ? undefined : this.#byCaller.get(caller);
    const schemas = known?.has(name) ? known : await this.#list(caller, instance);
    return schemas.get(name) ?? undefined;
  }

  async #list(caller: string | undefined, instance: Instance): Promise<Schemas> {
    const tools: JsonObject[] = [];
    for await (const tool of listTools(instance)) tools.push(tool);
    return this.#keep(tools, caller);
  }

  #keep(tools: readonly JsonObject[], caller: string | undefined): Schemas {
    const schemas = new Map(tools.map((tool) => [tool['name'], schemaWithHeaders(tool['inputSchema'])]));
    if (caller === undefined) return schemas;
    this.#byCaller.delete(caller);
    const [oldest] = this.#byCaller.keys();
    if (this.#byCaller.size >= MOST_CALLERS && oldest !== undefined) this.#byCaller.delete(oldest);
    this.#byCaller.set(caller, schemas);
    return schemas;
  }

  /** Takes note of a list that a client was given: one that was refused for its headers lists the tools, to try again. */
  note(listed: JsonObject, params: JsonObject, caller: string | undefined): void {
    const { tools, nextCursor } = listed;
    const isWhole = params['cursor'] === undefined && nextCursor === undefined && Array.isArray(tools);
    if (isWhole) this.#keep(tools.filter(isJsonObject), caller);
    else if (caller !== undefined) this.#byCaller.delete(caller);
  }

  /** A list of tools has changed. */
  forget(): void {
    this.#byCaller.clear();
  }
}

function schemaWithHeaders(schema: unknown): JsonObject | null {
  return isJsonObject(schema) && JSON.stringify(schema).includes('"x-mcp-header"') ? schema : null;
}
