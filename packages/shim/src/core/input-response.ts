/** Readers of raw answers, with the names and views of SDK v2. */
import { readElicitResult, readRootsResult, readSamplingResult } from './answer.ts';
import type { Root, SamplingResult } from './embedded-request.ts';
import { isJsonObject, ownMember } from './json.ts';
import { type AnswerIssue, parseWith, type StandardSchema } from './standard-schema.ts';

/** Answers by key, as a client sent them. */
export type InputResponses = Readonly<Record<string, unknown>>;

/** One answer, told apart by `kind`. `missing`: nothing usable came under the key. */
export type InputResponse<Content = Record<string, unknown>> =
  | { readonly kind: 'missing' }
  | { readonly kind: 'elicit'; readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Content }
  | { readonly kind: 'sampling'; readonly result: SamplingResult }
  | { readonly kind: 'roots'; readonly roots: readonly Root[] };

/** What {@link InputContext.response} adds: why an answer that came cannot be used. */
export type CheckedInputResponse<Content = Record<string, unknown>> =
  | InputResponse<Content>
  | { readonly kind: 'invalid'; readonly issues: readonly AnswerIssue[] }
  | { readonly kind: 'failed'; readonly reason: 'client-error' | 'malformed'; readonly code?: number };

/**
 * Reads one answer by its shape. Only own members of `responses` are read; an answer of no known shape is `missing`.
 */
export function inputResponse(responses: InputResponses | undefined, key: string): InputResponse {
  const value = isJsonObject(responses) ? ownMember(responses, key) : undefined;
  const elicited = readElicitResult(value);
  if (elicited !== undefined) {
    const { action, content } = elicited;
    return content === undefined ? { kind: 'elicit', action } : { kind: 'elicit', action, content };
  }
  const listed = readRootsResult(value);
  if (listed !== undefined) return { kind: 'roots', roots: listed.roots };
  const sampled = readSamplingResult(value);
  return sampled === undefined ? { kind: 'missing' } : { kind: 'sampling', result: sampled };
}

/**
 * The content of an accepted form under `key`; undefined when there is none, and when `schema` does not accept it.
 *
 * @throws TypeError when `schema` validates asynchronously.
 */
export function acceptedContent<Content = Record<string, unknown>>(
  responses: InputResponses | undefined,
  key: string,
  schema?: StandardSchema<Content>,
): Content | undefined {
  const response = inputResponse(responses, key);
  if (response.kind !== 'elicit' || response.action !== 'accept' || response.content === undefined) return undefined;
  if (schema === undefined) return response.content as Content;
  const checked = parseWith(schema, response.content);
  return checked.issues === undefined ? checked.value : undefined;
}
