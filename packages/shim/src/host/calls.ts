/** Calls that give an ask to their caller, to be answered by hand. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { EmbeddedRequest } from '../core/embedded-request.ts';
import { isInputRequiredResult } from '../core/input-required.ts';
import { describeValue, type JsonObject } from '../core/json.ts';
import type { AskMemory } from './ask-memory.ts';
import { dualTransportOf } from './dual-transport.ts';
import type { ModernConnection } from './modern-connection.ts';
import { jsonRpcErrorOf, RpcError } from './rpc-error.ts';

/** An ask as a server sent it. */
export interface ReceivedAsk {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, EmbeddedRequest>>;
  readonly requestState?: string;
  readonly [member: string]: unknown;
}

/** The members of a call that answer the ask before it. */
export interface Answers {
  /** The bare answers by the keys of the ask: `{ action, content }` and the like. */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  /** What the ask had, untouched. */
  readonly requestState?: string | undefined;
}

export interface CallSettings {
  readonly signal?: AbortSignal | undefined;
}

/** A call without answers. */
type AskedCall =
  | { readonly method: 'tools/call'; readonly params: { name: string; arguments?: JsonObject } }
  | { readonly method: 'prompts/get'; readonly params: { name: string; arguments?: Record<string, string> } }
  | { readonly method: 'resources/read'; readonly params: { uri: string } };

/** An ask with the call it belongs to, as plain JSON: to be stored, and answered by any process. */
export type PendingAsk = AskedCall & {
  readonly inputRequests: Readonly<Record<string, EmbeddedRequest>>;
  readonly requestState?: string;
};

/** What SDK v1 calls it, also where the caller has aborted. */
const REQUEST_TIMEOUT = -32001;

const calls = new WeakMap<object, AskedCall>();

/**
 * Calls a tool. On a modern server that asks, resolves to the ask: answer it by calling again with the same arguments,
 * `inputResponses`, and the ask's `requestState`. On a handshake server, questions arrive live.
 *
 * @throws DualEraError `ARGUMENTS_CHANGED` when `requestState` came with another call, `NOT_CONNECTED` when the
 * client was not connected by `connectDualEra`; an Error with the `code` and `data` of the server's error; and once
 * `signal` is aborted, one with code -32001, or its reason where nothing had been sent.
 */
export async function callTool(
  client: Client,
  { name, arguments: args, ...answers }: { name: string; arguments?: JsonObject | undefined } & Answers,
  settings?: CallSettings,
): Promise<CallToolResult | ReceivedAsk> {
  const params = args === undefined ? { name } : { name, arguments: args };
  const { modern, memory } = dualTransportOf(client);
  if (modern === undefined) {
    return (await client.callTool(params, undefined, signalOf(settings))) as CallToolResult;
  }
  return (await call(
    { modern, memory },
    { method: 'tools/call', params },
    { ...answers, ...settings },
  )) as CallToolResult;
}

/** Gets a prompt, as `callTool` calls a tool. @throws the same. */
export async function getPrompt(
  client: Client,
  { name, arguments: args, ...answers }: { name: string; arguments?: Record<string, string> | undefined } & Answers,
  settings?: CallSettings,
): Promise<GetPromptResult | ReceivedAsk> {
  const params = args === undefined ? { name } : { name, arguments: args };
  const { modern, memory } = dualTransportOf(client);
  if (modern === undefined) return client.getPrompt(params, signalOf(settings));
  return (await call(
    { modern, memory },
    { method: 'prompts/get', params },
    { ...answers, ...settings },
  )) as GetPromptResult;
}

/** Reads a resource, as `callTool` calls a tool. @throws the same. */
export async function readResource(
  client: Client,
  { uri, ...answers }: { uri: string } & Answers,
  settings?: CallSettings,
): Promise<ReadResourceResult | ReceivedAsk> {
  const { modern, memory } = dualTransportOf(client);
  if (modern === undefined) return client.readResource({ uri }, signalOf(settings));
  const answered = { ...answers, ...settings };
  return (await call(
    { modern, memory },
    { method: 'resources/read', params: { uri } },
    answered,
  )) as ReadResourceResult;
}

/**
 * The ask in `result` with the call it belongs to, as plain JSON. Answer it with the function of its `method`:
 * `callTool(client, { ...pending.params, inputResponses, requestState: pending.requestState })`.
 *
 * @throws TypeError when `result` is no ask that `callTool`, `getPrompt` or `readResource` gave.
 */
export function pendingAsk(result: object): PendingAsk {
  const known = calls.get(result);
  if (known === undefined) {
    throw new TypeError(
      `pendingAsk needs an ask that callTool, getPrompt or readResource gave, got ${describeValue(result)}`,
    );
  }
  const { inputRequests = {}, requestState } = result as ReceivedAsk;
  return structuredClone({ ...known, inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

async function call(
  { modern, memory }: { readonly modern: ModernConnection; readonly memory: AskMemory },
  asked: AskedCall,
  { inputResponses, requestState, signal }: Answers & CallSettings,
): Promise<JsonObject> {
  memory.check(requestState, asked);
  const retry = {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
  // An abort ends a call as SDK v1 ends it, so that it is the same on either era.
  signal?.throwIfAborted();
  const sent = modern.call(asked.method, { ...asked.params, ...retry }, { signal });
  const result = await sent.catch((cause: unknown) => {
    if (signal?.aborted) throw new RpcError({ code: REQUEST_TIMEOUT, message: String(signal.reason) }, { cause });
    throw new RpcError(jsonRpcErrorOf(cause), { cause });
  });
  if (!isInputRequiredResult(result)) return result;
  calls.set(result, structuredClone(asked));
  const { requestState: state } = result;
  if (typeof state === 'string') memory.keep(state, asked);
  return result;
}

function signalOf(settings: CallSettings | undefined): { signal?: AbortSignal } {
  return settings?.signal === undefined ? {} : { signal: settings.signal };
}
