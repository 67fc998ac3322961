/** How a call that cannot be fulfilled ends. None of these ever reads as consent. */
import type { JsonObject } from './json.ts';
import { errorAnswer, INTERNAL_ERROR, type JsonRpcAnswer, type RequestId, resultAnswer } from './json-rpc.ts';

/** Why a call that asked ended without its handler's result. */
export type OutcomeReason =
  | 'unsupported'
  | 'no-channel'
  | 'timeout'
  | 'client-error'
  | 'malformed'
  | 'declined'
  | 'cancelled'
  | 'repeated-ask'
  | 'rounds-exceeded'
  | 'busy'
  | 'shim-off';

/** What a refused call carries: in `_meta["mcp-dual-era/outcome"]` of a tool result, in `data` of an error. */
export interface Outcome {
  readonly reason: OutcomeReason;
  readonly method: string;
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string;
  /** The round that could not be fulfilled, counted from 1. */
  readonly round: number;
  /** The question at fault, where one is. */
  readonly key?: string;
  /** With `unsupported`: everything the client did not declare, in the shape of error -32021. */
  readonly requiredCapabilities?: JsonObject;
  /** With `unsupported`: the negotiated revision, where it cannot say the question. */
  readonly revision?: string;
  /** With `client-error`: the JSON-RPC code the client answered with. */
  readonly code?: number;
  /** With `busy`: when to try again, in milliseconds. */
  readonly retryAfter?: number;
}

/** The `_meta` key of a refused tool result. */
export const OUTCOME_KEY = 'mcp-dual-era/outcome';

/** The methods whose handlers may ask (spec: basic/patterns/mrtr, server requirements). */
export type AskingMethod = 'tools/call' | 'prompts/get' | 'resources/read';

const TARGETS: Record<AskingMethod, { readonly noun: string; readonly param: string }> = {
  'tools/call': { noun: 'tool', param: 'name' },
  'prompts/get': { noun: 'prompt', param: 'name' },
  'resources/read': { noun: 'resource', param: 'uri' },
};

export function isAskingMethod(method: string): method is AskingMethod {
  return Object.hasOwn(TARGETS, method);
}

/** The name or URI that a request is for; empty when it has none. */
export function targetOf(method: AskingMethod, params: JsonObject): string {
  const target = params[TARGETS[method].param];
  return typeof target === 'string' ? target : '';
}

/** The answer to a call that ends with `outcome`: an error result for a tool, a JSON-RPC error for the others. */
export function refusalAnswer(id: RequestId, outcome: Outcome, explanation: string): JsonRpcAnswer {
  const { noun } = TARGETS[outcome.method as AskingMethod];
  const text = `The ${noun} ${outcome.target} was not completed: ${explanation}`;
  if (outcome.method !== 'tools/call') return errorAnswer(id, { code: INTERNAL_ERROR, message: text, data: outcome });
  return resultAnswer(id, { content: [{ type: 'text', text }], isError: true, _meta: { [OUTCOME_KEY]: outcome } });
}

/** What the person, or the model, is told for each reason; docs/errors.md has the same sentences. */
export const EXPLANATIONS: Readonly<Record<OutcomeReason, string>> = {
  unsupported: 'it has to ask something that this client cannot answer',
  'no-channel': 'it has to ask something, and no question can reach this client',
  timeout: 'its question was not answered in time',
  'client-error': 'the client answered its question with an error',
  malformed: 'the client answered its question with something that is no answer to it',
  declined: 'its question was declined',
  cancelled: 'its question was dismissed',
  'repeated-ask': 'it asked the same question again, which had no usable answer',
  'rounds-exceeded': 'it asked more often than this server allows in one call',
  busy: 'too many calls are waiting for an answer',
  'shim-off': 'it has to ask something, and asking is switched off on this server',
};
