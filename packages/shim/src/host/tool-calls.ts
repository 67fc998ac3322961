/** Tools as the engine has to know them: which of their arguments travel in headers too, and nothing else. */
import type { Client } from '@modelcontextprotocol/client';
import { isJsonObject } from '../core/json.ts';
import { HEADER_MISMATCH } from '../core/json-rpc.ts';

type Listed = Awaited<ReturnType<Client['listTools']>>;
type Tool = Listed['tools'][number];
type CallParams = Parameters<Client['callTool']>[0];
type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>;

export class ToolCalls {
  readonly #engine: Client;
  readonly #hasHeaders: boolean;
  /** From the last whole list. */
  #tools: ReadonlyMap<string, Tool> | undefined;

  /** @param hasHeaders - whether arguments can travel in headers, so that the tools have to be known before a call. */
  constructor(engine: Client, hasHeaders: boolean) {
    this.#engine = engine;
    this.#hasHeaders = hasHeaders;
  }

  async list(params: Parameters<Client['listTools']>[0], options: CallOptions): Promise<Listed> {
    const listed = await this.#engine.listTools(params, options);
    if (listed.nextCursor === undefined && params?.cursor === undefined) {
      this.#tools = new Map(listed.tools.map((tool) => [tool.name, tool]));
    }
    return listed;
  }

  /** A list has changed. */
  forget(): void {
    this.#tools = undefined;
  }

  /**
   * Calls a tool; where its headers are not as the server wants them, once more with those of a fresh list (spec:
   * streamable-http, server validation).
   */
  async call(params: CallParams, options: CallOptions): Promise<object> {
    const { onprogress: _onprogress, allowInputRequired: _allow, ...plain } = options;
    // A list that fails is no reason not to call: the server says what it misses.
    if (this.#hasHeaders && this.#tools === undefined) await this.list(undefined, plain).catch(() => undefined);
    try {
      return await this.#engine.callTool(params, { ...options, ...this.#definitionOf(params) });
    } catch (error) {
      if (!isJsonObject(error) || error['code'] !== HEADER_MISMATCH) throw error;
    }
    await this.list(undefined, { ...plain, cacheMode: 'refresh' } as CallOptions);
    return this.#engine.callTool(params, { ...options, ...this.#definitionOf(params) });
  }

  /** Without what the tool promises of its result: an ask is none, and the client checks results itself. */
  #definitionOf({ name }: CallParams): { toolDefinition?: Tool } {
    const tool = this.#tools?.get(name);
    if (tool === undefined) return {};
    const { outputSchema: _outputSchema, ...toolDefinition } = tool;
    return { toolDefinition };
  }
}
