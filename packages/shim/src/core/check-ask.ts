/** Checks the ask that a handler returned, before anything is sent (spec: basic/patterns/mrtr, server requirements). */
import { formProblem } from './check-form.ts';
import { samplingProblem } from './check-sampling.ts';
import { urlProblem } from './check-url.ts';
import { type AskKind, type EmbeddedMethod, isEmbeddedMethod, kindOf } from './embedded-request.ts';
import { describeValue, isJsonObject, type JsonObject } from './json.ts';
import { isRequestMeta } from './json-rpc.ts';
import { isUnwantedPromise } from './thenable.ts';

/** One embedded request whose shape has been checked. */
export interface CheckedRequest {
  readonly key: string;
  readonly kind: AskKind;
  readonly method: EmbeddedMethod;
  readonly params: JsonObject;
}

export interface CheckedAsk {
  /** In insertion order; empty when the ask has only a state. */
  readonly requests: readonly CheckedRequest[];
  /** The handler's requestState as JSON text, or undefined when the ask has none, or a sealed one. */
  readonly state: string | undefined;
  /** The handler's requestState where it is a text, which has to be a sealed one. */
  readonly sealed: string | undefined;
}

/** A mistake of the handler's author, in words that say what to change. */
export interface AskMistake {
  readonly mistake: string;
}

/**
 * Reads the members of an ask. Never throws: a getter, a cycle or a hostile key in it is a mistake like any other.
 *
 * @param maxBytes - the largest requestState, as UTF-8 JSON.
 */
export function checkAsk(ask: JsonObject, maxBytes: number): CheckedAsk | AskMistake {
  try {
    return readAsk(ask, maxBytes);
  } catch {
    // Not in the words of the error, which may hold what nobody is to see.
    return { mistake: 'the ask cannot be read: it threw' };
  }
}

function readAsk(ask: JsonObject, maxBytes: number): CheckedAsk | AskMistake {
  const givenState = ask['requestState'];
  const sealed = typeof givenState === 'string' ? givenState : undefined;
  const state = sealed === undefined ? checkState(givenState, maxBytes) : undefined;
  if (typeof state === 'object') return state;
  const given = ask['inputRequests'];
  if (given !== undefined && given !== null && !isJsonObject(given)) {
    return { mistake: `inputRequests must be an object of embedded requests by key, got ${describeValue(given)}` };
  }
  const requests: CheckedRequest[] = [];
  for (const key of Object.keys(given ?? {})) {
    const checked = checkRequest(key, given?.[key]);
    if (typeof checked === 'string') return { mistake: `inputRequests[${JSON.stringify(key)}]${checked}` };
    requests.push(checked);
  }
  if (requests.length === 0 && state === undefined && sealed === undefined) {
    return { mistake: 'an ask needs at least one entry in inputRequests, or a requestState' };
  }
  return { requests, state, sealed };
}

/** The request with its kind, or what is wrong with it, to be read after its name. */
function checkRequest(key: string, request: unknown): CheckedRequest | string {
  if (!isJsonObject(request)) {
    return ` must be an embedded request { method, params }, got ${describeValue(request)}`;
  }
  const method = request['method'];
  if (!isEmbeddedMethod(method)) {
    const known = 'elicitation/create, sampling/createMessage or roots/list';
    return `.method must be ${known}, got ${describeValue(method)}`;
  }
  const params = request['params'] ?? (method === 'roots/list' ? {} : undefined);
  if (!isJsonObject(params)) return `.params must be an object, got ${describeValue(params)}`;
  const meta = params['_meta'];
  if (meta !== undefined && !isRequestMeta(meta)) return '.params._meta must be request metadata';
  const problem = paramsProblem(method, params);
  if (problem !== undefined) return ` (${method}): ${problem}`;
  if (!isSendable(params)) return '.params must be JSON: it has a cycle, a bigint, or throws when read';
  return { key, kind: kindOf(method, params), method, params };
}

function paramsProblem(method: EmbeddedMethod, params: JsonObject): string | undefined {
  if (method === 'roots/list') return undefined;
  if (method === 'sampling/createMessage') return samplingProblem(params);
  const { mode, message, url, note } = params;
  if (typeof message !== 'string' || message === '')
    return `message must be a text to show, got ${describeValue(message)}`;
  if (note !== undefined && typeof note !== 'string') return `note must be a string, got ${describeValue(note)}`;
  if (mode === 'url') return urlProblem(url) ?? elicitationIdProblem(params['elicitationId']);
  if (mode !== undefined && mode !== 'form') return `mode must be "form" or "url", got ${describeValue(mode)}`;
  return formProblem(params['requestedSchema']);
}

function elicitationIdProblem(elicitationId: unknown): string | undefined {
  if (elicitationId === undefined || (typeof elicitationId === 'string' && elicitationId !== '')) return undefined;
  return `elicitationId must be a non-empty string, got ${describeValue(elicitationId)}`;
}

// A question of its mode's members only has been looked at to its last value.
const LOOKED_AT = {
  form: new Set(['mode', 'message', 'note', 'requestedSchema']),
  url: new Set(['mode', 'message', 'note', 'url', 'elicitationId']),
};

function isLookedAt(params: JsonObject): boolean {
  const members = LOOKED_AT[params['mode'] === 'url' ? 'url' : 'form'];
  for (const member in params) if (!members.has(member)) return false;
  return true;
}

function isSendable(params: JsonObject): boolean {
  if (isLookedAt(params)) return true;
  try {
    JSON.stringify(params);
    return true;
  } catch {
    return false;
  }
}

/** `value` as JSON text. */
export function checkState(value: unknown, maxBytes: number): string | undefined | AskMistake {
  if (value === undefined || value === null) return undefined;
  if (isUnwantedPromise(value))
    return { mistake: 'requestState must be a JSON value: await the promise it comes from' };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { mistake: `requestState must be a JSON value, got ${describeValue(value)}` };
  }
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    return { mistake: 'requestState must be a JSON value: it has a cycle, a bigint, or throws when read' };
  }
  if (json === undefined) return { mistake: `requestState must be a JSON value, got ${describeValue(value)}` };
  const bytes = utf8Length(json);
  if (bytes > maxBytes) return { mistake: `requestState must have at most ${maxBytes} bytes as JSON, got ${bytes}` };
  return json;
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // A surrogate pair is two units and four bytes, so each half counts one byte more than its unit.
    if (unit >= 0xd800 && unit <= 0xdfff) bytes += 1;
    else if (unit >= 0x80) bytes += unit >= 0x800 ? 2 : 1;
  }
  return bytes;
}
