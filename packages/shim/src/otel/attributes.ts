/**
 * What spans and metrics are labelled with. The names are those of OpenTelemetry's semantic conventions for MCP where
 * those have one (open-telemetry/semantic-conventions-genai, docs/gen-ai/mcp.md, in development); the rest is under a
 * prefix of our own. None of them holds a payload, an answer or an identity.
 */
import type { Attributes } from '@opentelemetry/api';
import type { AskKind, EmbeddedMethod } from '../core/embedded-request.ts';
import type { HoldOutcome, LegOutcome } from '../core/events.ts';
import type { TracedCall } from '../core/telemetry.ts';

export const METHOD = 'mcp.method.name';
export const ERROR_TYPE = 'error.type';
export const KEY = 'mcp_dual_era.key';
export const KIND = 'mcp_dual_era.kind';
export const ROUND = 'mcp_dual_era.round';
export const ROUNDS = 'mcp_dual_era.rounds';
export const OUTCOME = 'mcp_dual_era.outcome';

/** The request that a question of each kind is. */
export const METHODS: Readonly<Record<AskKind, EmbeddedMethod>> = {
  form: 'elicitation/create',
  url: 'elicitation/create',
  sampling: 'sampling/createMessage',
  'sampling.tools': 'sampling/createMessage',
  roots: 'roots/list',
};

/** What the span of a call is named, and the attributes that it starts with. */
export function describeCall({ method, target }: TracedCall): { name: string; attributes: Attributes } {
  const name = `${method} ${target}`;
  if (method === 'tools/call') {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': target };
    return { name, attributes: { [METHOD]: method, ...tool } };
  }
  if (method === 'prompts/get') return { name, attributes: { [METHOD]: method, 'gen_ai.prompt.name': target } };
  // There are as many URIs as there are resources: too many for names.
  return { name: method, attributes: { [METHOD]: method, 'mcp.resource.uri': target } };
}

// What people and callers decide is no error: they declined, dismissed, or called off.
const NO_ERRORS: ReadonlySet<HoldOutcome | LegOutcome> = new Set([
  'accepted',
  'answered',
  'declined',
  'cancelled',
  'call-cancelled',
  // Another question of the round ended it.
  'round-ended',
]);

export function isError(outcome: HoldOutcome | LegOutcome): boolean {
  return !NO_ERRORS.has(outcome);
}
