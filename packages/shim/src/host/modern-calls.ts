/** Sends requests to a modern server, as its revision has them. */
import type { Client } from '@modelcontextprotocol/client';
import { definedMembers, isJsonObject, type JsonObject } from '../core/json.ts';
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import { LONGEST_DELAY } from '../core/option-checks.ts';
import { isAskingMethod } from '../core/outcome.ts';
import { ANY_VALUE } from '../core/standard-schema.ts';
import { RpcError } from './rpc-error.ts';
import { ToolCalls } from './tool-calls.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onprogress?: ((progress: JsonObject) => void) | undefined;
}

export class ModernCalls {
  readonly #engine: Client;
  readonly #tools: ToolCalls;
  /** The lowest level of log messages that the client wants: each request says it anew. */
  logLevel: string | undefined;

  /** @param hasHeaders - whether the connection is over HTTP. */
  constructor(engine: Client, hasHeaders: boolean) {
    this.#engine = engine;
    this.#tools = new ToolCalls(engine, hasHeaders);
  }

  /** The list of tools has changed. */
  forgetTools(): void {
    this.#tools.forget();
  }

  /** Gives an ask as it is. @throws what the engine throws, and RpcError for an ask where none may be. */
  async send(method: string, given: JsonObject, options: CallOptions): Promise<JsonObject> {
    try {
      return await this.#send(method, given, options);
    } catch (error) {
      if (!isJsonObject(error) || error['code'] !== 'UNSUPPORTED_RESULT_TYPE' || isAskingMethod(method)) throw error;
      const message = `The server answered ${method} with an ask, which only tools, prompts and resources may.`;
      throw new RpcError({ code: INTERNAL_ERROR, message, data: { reason: 'ask-not-met' } }, { cause: error });
    }
  }

  async #send(method: string, given: JsonObject, { signal, onprogress }: CallOptions): Promise<JsonObject> {
    const { _meta: givenMeta, task: _task, ...others } = given;
    const { progressToken: _token, ...meta } = isJsonObject(givenMeta) ? givenMeta : {};
    const level = this.logLevel === undefined ? {} : { [LOG_LEVEL]: this.logLevel };
    const params = { ...others, _meta: { ...level, ...meta } };
    const options = {
      // The client has a limit of its own, which is the one that counts.
      timeout: LONGEST_DELAY,
      ...definedMembers({ signal }),
      ...(onprogress === undefined ? {} : { onprogress: (progress: object) => onprogress(progress as JsonObject) }),
      ...(isAskingMethod(method) ? { allowInputRequired: true } : {}),
    };
    if (method === 'tools/list') return (await this.#tools.list(params, options)) as JsonObject;
    if (method === 'tools/call') return (await this.#tools.call(params as never, options)) as JsonObject;
    // The client checks the result.
    return (await this.#engine.request({ method, params }, ANY_VALUE, options)) as JsonObject;
  }
}
