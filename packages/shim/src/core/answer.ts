/** The answer to an embedded request, checked for the shape of its kind (spec: client/elicitation, sampling, roots). */
import { blocksOf, isSamplingBlock } from './check-sampling.ts';
import type { ElicitResult, EmbeddedAnswer, EmbeddedMethod, RootsResult, SamplingResult } from './embedded-request.ts';
import { isJsonObject, ownMember } from './json.ts';

/**
 * `value` as an elicitation result, or undefined when it has not the shape of one. `content: null` reads as absent, and
 * so does any content that does not belong to an accept. Content of more than 1 000 members or 262 144 characters is none.
 */
export function readElicitResult(value: unknown): ElicitResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const action = ownMember(value, 'action');
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined;
  const content = ownMember(value, 'content') ?? undefined;
  if (action === 'accept' && content !== undefined)
    return isContent(content) ? (value as unknown as ElicitResult) : undefined;
  if (!Object.hasOwn(value, 'content')) return value as unknown as ElicitResult;
  const { content: _content, ...bare } = value;
  return { ...bare, action };
}

// Far above what a person types into a form, and far below what would burden the server.
const MOST_MEMBERS = 1_000;
const MOST_CHARACTERS = 262_144;

function isContent(content: unknown): content is Record<string, string | number | boolean | string[]> {
  if (!isJsonObject(content)) return false;
  const keys = Object.keys(content);
  if (keys.length > MOST_MEMBERS) return false;
  let characters = 0;
  for (const key of keys) {
    characters += key.length + lengthOf(content[key]);
    if (!(characters <= MOST_CHARACTERS)) return false;
  }
  return true;
}

/** The characters of one answer, an entry of a list counting one more; not a number when it is none. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) {
    return value.reduce((sum: number, entry: unknown) => sum + 1 + (typeof entry === 'string' ? entry.length : NaN), 0);
  }
  return typeof value === 'boolean' || Number.isFinite(value) ? 0 : NaN;
}

/** `value` as a sampling result, or undefined when it has not the shape of one. */
export function readSamplingResult(value: unknown): SamplingResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const role = ownMember(value, 'role');
  if ((role !== 'user' && role !== 'assistant') || typeof ownMember(value, 'model') !== 'string') return undefined;
  const stopReason = ownMember(value, 'stopReason');
  if (stopReason !== undefined && typeof stopReason !== 'string') return undefined;
  return blocksOf(ownMember(value, 'content')).every(isSamplingBlock)
    ? (value as unknown as SamplingResult)
    : undefined;
}

/** `value` as a roots result, or undefined when it has not the shape of one. */
export function readRootsResult(value: unknown): RootsResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const roots = ownMember(value, 'roots');
  return Array.isArray(roots) && roots.every(isRoot) ? (value as unknown as RootsResult) : undefined;
}

function isRoot(root: unknown): boolean {
  if (!isJsonObject(root)) return false;
  const uri = ownMember(root, 'uri');
  const name = ownMember(root, 'name');
  return typeof uri === 'string' && uri.startsWith('file://') && (name === undefined || typeof name === 'string');
}

/** `value` as the answer to `method`, or undefined when it has not the shape of one. */
export function readAnswer(method: EmbeddedMethod, value: unknown): EmbeddedAnswer | undefined {
  if (method === 'elicitation/create') return readElicitResult(value);
  return method === 'roots/list' ? readRootsResult(value) : readSamplingResult(value);
}
