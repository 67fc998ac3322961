/** Serves one modern request with an SDK v1 instance: what it is given to read, and what its answer becomes. */
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JsonRpcError,
  URL_ELICITATION_REQUIRED,
} from '../core/json-rpc.ts';
import { misplacedAsk } from '../core/misplaced-ask.ts';
import { isAskingMethod } from '../core/outcome.ts';
import { principalUnlessDenied } from '../core/principal.ts';
import { putRetryRecord } from '../core/retry-record.ts';
import { AskingRun } from './asking-run.ts';
import { withCacheHint } from './cache-hints.ts';
import type { Instance } from './instance.ts';
import type { ModernLeg } from './leg.ts';
import { mistakeOf } from './mistake.ts';
import type { ModernRequest } from './modern-request.ts';
import { isUnknownTool } from './unknown-tool.ts';
import { signInAsk } from './url-elicitation.ts';
import { freshMeta } from './v1-request.ts';
import { WireError } from './wire-error.ts';

const RESOURCE_NOT_FOUND = -32002;

/** @throws WireError for every failure that the client is to hear of. */
export async function serveRequest(leg: ModernLeg, instance: Instance, request: ModernRequest): Promise<JsonObject> {
  requireCaller(leg, request);
  if (request.method === 'tools/call') requireToolParams(request.params);
  const run = isAskingMethod(request.method) ? await AskingRun.open(leg, request) : undefined;
  const answer = await instance.run(request, metaOf(request, run), run?.record);
  const { result, error } = answer;
  if (result !== undefined && isInputRequiredResult(result)) return pass(leg, request, run, result);
  const mistake = result && isAskingMethod(request.method) ? misplacedAsk(result) : undefined;
  if (mistake !== undefined) throw mistakeOf(leg, request, mistake);
  if (result !== undefined) {
    if (request.method !== 'tools/call') return withCacheHint(result, request.method, leg.cacheHints);
    if (!(await isUnknownTool(result, request.params, instance))) return result;
    throw new WireError(INVALID_PARAMS, `Tool ${String(request.params['name'])} not found`);
  }
  const ask = error?.code === URL_ELICITATION_REQUIRED ? signInAsk(error.data) : undefined;
  if (ask !== undefined) return pass(leg, request, run, ask);
  throw wireErrorOf(error ?? { code: INTERNAL_ERROR, message: 'Internal error' }, request);
}

/** @throws WireError for a caller that the subject option denies. */
function requireCaller({ settings }: ModernLeg, { authInfo }: ModernRequest): void {
  if (principalUnlessDenied(authInfo, settings.options.subject) === undefined) {
    throw new WireError(INVALID_REQUEST, 'The caller is denied');
  }
}

// The other methods get SDK v1's own error, which has the code that SDK v2 gives them.
function requireToolParams({ name, arguments: args }: JsonObject): void {
  if (typeof name === 'string' && (args === undefined || isJsonObject(args))) return;
  throw new WireError(INVALID_PARAMS, 'Invalid params of tools/call: name must be a string, and arguments an object');
}

function metaOf(request: ModernRequest, run: AskingRun | undefined): JsonObject {
  const meta = freshMeta(request);
  if (run !== undefined) putRetryRecord(meta, run.record);
  return meta;
}

function pass(
  leg: ModernLeg,
  request: ModernRequest,
  run: AskingRun | undefined,
  ask: JsonObject,
): Promise<JsonObject> {
  if (run !== undefined) return run.pass(ask);
  const mistake = 'only the handlers of tools/call, prompts/get and resources/read may return an ask';
  throw mistakeOf(leg, request, mistake);
}

/** `error` in the words of the modern revision, which differ for a resource that does not exist. */
function wireErrorOf(error: JsonRpcError, { method, params }: ModernRequest): WireError {
  const { code, data } = error;
  const message = withoutPrefix(error);
  // A text that is no URI at all names no resource either: SDK v1 fails to parse it.
  const { uri } = params;
  const isNone = code === INTERNAL_ERROR && typeof uri === 'string' && !URL.canParse(uri);
  const isMissing = isNone || code === RESOURCE_NOT_FOUND || (code === INVALID_PARAMS && data === undefined);
  // Spec, server/resources, error handling: -32602 with the URI.
  if (method === 'resources/read' && isMissing) return new WireError(INVALID_PARAMS, message, { uri: params['uri'] });
  // Spec, basic, error codes: -32042 must not be sent on this revision.
  const isGone = code === URL_ELICITATION_REQUIRED;
  return new WireError(isGone ? INTERNAL_ERROR : code, message, isGone ? undefined : data);
}

// SDK v1 says the code once more in its messages, and its client says it a third time.
function withoutPrefix({ code, message }: JsonRpcError): string {
  const prefix = `MCP error ${code}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
