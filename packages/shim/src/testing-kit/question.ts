/** Reads a question off the wire, and tells of it in messages. */
import { type EmbeddedMethod, type FormSchema, kindOf } from '../core/embedded-request.ts';
import { definedMembers, type JsonObject } from '../core/json.ts';
import type { Question } from './transcript.ts';

export interface AskedQuestion {
  readonly number: number;
  readonly key: string | undefined;
  readonly method: EmbeddedMethod;
  readonly params: JsonObject;
}

/**
 * The question in `asked`, without what only one of the wires has (`elicitationId`, `mode`, the task of revision
 * 2025-11-25) and without `_meta`.
 */
export function questionOf({ number, key, method, params }: AskedQuestion): Question {
  const kind = kindOf(method, params);
  const start = { number, ...definedMembers({ key }), kind };
  if (kind === 'roots') return start;
  if (kind === 'sampling' || kind === 'sampling.tools') return { ...start, params: plainParams(params) };
  const { message, requestedSchema, url } = params;
  const said = definedMembers({ message: message as string | undefined });
  if (kind === 'url') return { ...start, ...said, url: String(url) };
  return { ...start, ...said, requestedSchema: requestedSchema as FormSchema };
}

function plainParams({ _meta, task: _task, ...params }: JsonObject): JsonObject {
  return params;
}

/** Names `question` for a person: `"who" (form): "Your name?"`. */
export function describeQuestion({ number, key, kind, message }: Question): string {
  const name = key === undefined ? `number ${number}` : JSON.stringify(key);
  return `${name} (${kind})${message === undefined ? '' : `: ${JSON.stringify(message)}`}`;
}
