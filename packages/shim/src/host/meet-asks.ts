/** Meets the asks of a call with the client's own handlers, until the call has its result. */
import { declaredKinds } from '../core/capabilities.ts';
import { type AskKind, type EmbeddedMethod, isEmbeddedMethod, kindOf } from '../core/embedded-request.ts';
import { isInputRequiredResult } from '../core/input-required.ts';
import { describeValue, isJsonObject, type JsonObject } from '../core/json.ts';
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import { RpcError } from './rpc-error.ts';

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 250;

export interface MeetOptions {
  readonly maxRounds: number;
  /** What the client declared. */
  readonly capabilities: unknown;
  readonly signal: AbortSignal;
  /** Sends the call with what answers the last ask; gives the next ask or the result. */
  readonly send: (retry: JsonObject) => Promise<JsonObject>;
  /** The client's answer to one question. */
  readonly ask: (method: EmbeddedMethod, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
}

interface Question {
  readonly key: string;
  readonly method: EmbeddedMethod;
  readonly params: JsonObject;
}

/**
 * The result of the call. A refusal of the person's is an answer like any other.
 *
 * @throws RpcError for an ask that cannot be met, before anybody is asked; and what a handler of the client answers with.
 */
export async function meetAsks({ maxRounds, capabilities, signal, send, ask }: MeetOptions): Promise<JsonObject> {
  const kinds = declaredKinds(capabilities);
  let retry: JsonObject = {};
  let pauses = 0;
  for (let round = 0; ; round += 1) {
    const result = await send(retry);
    if (!isInputRequiredResult(result)) return result;
    if (round === maxRounds) throw broken(`it asked more often than ${maxRounds} times (maxRounds)`);
    const questions = readQuestions(result, kinds);
    const { requestState } = result;
    if (questions.length > 0) pauses = 0;
    else if (requestState === undefined) throw broken('it asks nothing');
    else await pause(Math.min(FIRST_PAUSE * 2 ** pauses, LONGEST_PAUSE), signal);
    if (questions.length === 0) pauses += 1;
    // Those of this round alone, and nothing that was not given (spec: basic/patterns/mrtr, client requirements).
    retry = {
      ...(questions.length === 0 ? {} : { inputResponses: await answersTo(questions, ask, signal) }),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
}

/** The whole round is looked at before anything of it is asked. */
function readQuestions({ inputRequests }: JsonObject, kinds: ReadonlySet<AskKind>): readonly Question[] {
  if (inputRequests === undefined) return [];
  if (!isJsonObject(inputRequests)) throw broken('its inputRequests are no object');
  return Object.keys(inputRequests).map((key) => readQuestion(key, inputRequests[key], kinds));
}

function readQuestion(key: string, request: unknown, kinds: ReadonlySet<AskKind>): Question {
  const method = isJsonObject(request) ? request['method'] : undefined;
  const params = isJsonObject(request) ? (request['params'] ?? {}) : undefined;
  const named = `its question ${describeValue(key)}`;
  if (!isEmbeddedMethod(method) || !isJsonObject(params)) throw broken(`${named} is of no known kind`);
  const kind = kindOf(method, params);
  if (!kinds.has(kind)) throw broken(`${named} is of a kind that this client has not declared: ${kind}`);
  return { key, method, params };
}

/** All at once; where one fails, the dialogs of the others are closed. */
async function answersTo(
  questions: readonly Question[],
  ask: MeetOptions['ask'],
  signal: AbortSignal,
): Promise<JsonObject> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const answers = questions.map(
      async ({ key, method, params }) => [key, await ask(method, params, controller.signal)] as const,
    );
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function broken(what: string): RpcError {
  const message = `The ask of the server cannot be met: ${what}`;
  return new RpcError({ code: INTERNAL_ERROR, message, data: { reason: 'ask-not-met' } });
}
