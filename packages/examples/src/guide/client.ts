/** What a client does about a server that asks: it is patient, and it can tell why a call was refused. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Outcome } from 'mcp-dual-era';

export async function callPatiently(client: Client, params: { name: string; arguments?: Record<string, unknown> }) {
  // #region patient
  // The server sends progress while a person thinks, and each of it starts the client's 60 seconds anew.
  const result = await client.callTool(params, undefined, { onprogress: () => {}, resetTimeoutOnProgress: true });
  // #endregion patient
  return result;
}

// #region refusal
/** Why the server could not ask; undefined for any other result or error. */
export function outcomeOf(ended: unknown): Outcome | undefined {
  // A prompt or a resource ends with a JSON-RPC error, a tool with a result.
  if (ended instanceof McpError) return isOutcome(ended.data) ? ended.data : undefined;
  const outcome = (ended as { _meta?: Record<string, unknown> } | undefined)?._meta?.['mcp-dual-era/outcome'];
  return isOutcome(outcome) ? outcome : undefined;
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'reason' in value && 'target' in value;
}
// #endregion refusal
