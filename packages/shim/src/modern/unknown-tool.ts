/** SDK v1 answers a call of a tool that does not exist with a result; the modern revision has an error for it. */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Instance } from './instance.ts';
import { findTool } from './tool-list.ts';

/** Whether `result` is SDK v1's own answer for a tool that is not there, or is switched off. */
export async function isUnknownTool(result: JsonObject, params: JsonObject, instance: Instance): Promise<boolean> {
  if (result['isError'] !== true || !isAnswerOfSdk(result, params['name'])) return false;
  // A tool could say the same of another one.
  return (await findTool(instance, params['name'])) === undefined;
}

// Pinned in test/contract for the SDK v1 versions we support.
function isAnswerOfSdk({ content }: JsonObject, name: unknown): boolean {
  const [block] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isJsonObject(block) ? block['text'] : undefined;
  return text === `MCP error -32602: Tool ${name} not found` || text === `MCP error -32602: Tool ${name} disabled`;
}
