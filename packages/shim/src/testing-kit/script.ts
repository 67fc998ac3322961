/** A script: one call, and what its client, person and model say. Checked once, before anything runs. */
import { type JsonObject, ownMember } from '../core/json.ts';
import { integer, LONGEST_DELAY, object, oneOf, wrongType } from '../core/option-checks.ts';
import { type InputRequiredOptions, isCodec, type Ports } from '../core/options.ts';
import type { AskingMethod } from '../core/outcome.ts';
import { settingsOf } from '../handshake/settings.ts';
import type { Answer } from './answers.ts';
import { requireAnswer, requireJson } from './require-answer.ts';
import type { ScriptClock } from './script-clock.ts';
import type { Question } from './transcript.ts';

/** Answers by the key of their question: a list is used up in order, a single answer is given every time. */
export type AnswersByKey = Readonly<Record<string, Answer | readonly Answer[]>>;

/** In the order of the questions, by their keys, or by a function. */
export type Answers = readonly Answer[] | AnswersByKey | ((question: Question) => Answer | undefined);

export interface Script {
  /** The call, without `_meta`. */
  readonly request: { readonly method: AskingMethod; readonly params: Readonly<JsonObject> };
  /** What the client declares. @defaultValue everything: forms, pages, sampling with tools, roots */
  readonly capabilities?: unknown;
  /** @defaultValue `{ name: 'scripted', version: '1' }` */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /** @defaultValue none */
  readonly answers?: Answers | undefined;
  /** The options of the shim, for a server that the factory has not wrapped itself. @defaultValue the shim's defaults */
  readonly options?: Omit<InputRequiredOptions, 'ports'> | undefined;
  /** As `createMcpHandler` takes it. @defaultValue 'reject' */
  readonly pushCalls?: 'reject' | 'replay' | undefined;
  /** Members for the `_meta` of the call. @defaultValue none */
  readonly callerMeta?: Readonly<JsonObject> | undefined;
  /**
   * Real milliseconds that the server may take until its next message, before the run ends with an error: 1 to
   * 2 147 483 647. @defaultValue 10 000
   */
  readonly timeout?: number | undefined;
}

export interface ResolvedScript {
  readonly request: { readonly method: AskingMethod; readonly params: JsonObject };
  readonly capabilities: unknown;
  readonly clientInfo: JsonObject;
  readonly answers: Answers;
  readonly pushCalls: 'reject' | 'replay';
  readonly callerMeta: JsonObject;
  readonly timeout: number;
  /** Rounds after which a modern client gives up, where the shim does. */
  readonly maxRounds: number;
  /** The options of the shim for one run, on the clock of that run. */
  readonly optionsOn: (clock: ScriptClock) => InputRequiredOptions;
}

const ALL_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const MEMBERS = [
  'request',
  'answers',
  'capabilities',
  'clientInfo',
  'options',
  'pushCalls',
  'callerMeta',
  'timeout',
] as const;
const METHODS = ['tools/call', 'prompts/get', 'resources/read'] as const;
// Nobody is to be warned of a key that is good for one run.
const KEY = 'mcp-dual-era/testing: a key that hides nothing from anybody';
const START = Date.UTC(2026, 6, 28);

/** @throws TypeError when a member has the wrong type, RangeError when it is out of bounds; the message ends `, got X`. */
export function resolveScript(script: Script): ResolvedScript {
  object('script', script);
  for (const name of Object.keys(script)) oneOf('each member of the script', name, MEMBERS);
  const { request, capabilities = ALL_CAPABILITIES, clientInfo = { name: 'scripted', version: '1' } } = script;
  const { answers = [], options = {}, pushCalls = 'reject', callerMeta = {}, timeout = 10_000 } = script;
  object('request', request);
  const method = oneOf('request.method', request.method, METHODS);
  object('request.params', request.params);
  requireJson('request.params', request.params);
  for (const name of ['inputResponses', 'requestState']) {
    const given = ownMember(request.params, name);
    if (given !== undefined) throw wrongType(`request.params.${name}`, 'left out, since the kit says it', given);
  }
  object('clientInfo', clientInfo);
  for (const name of ['name', 'version'] as const) {
    if (typeof clientInfo[name] !== 'string') throw wrongType(`clientInfo.${name}`, 'a string', clientInfo[name]);
  }
  requireJson('capabilities', capabilities);
  requireJson('clientInfo', clientInfo);
  object('callerMeta', callerMeta);
  requireJson('callerMeta', callerMeta);
  object('options', options);
  const ports = ownMember({ ...options }, 'ports');
  if (ports !== undefined) throw wrongType('options.ports', 'left out, since each run has its own', ports);
  settingsOf(options, true);
  return {
    request: { method, params: { ...request.params } },
    capabilities,
    clientInfo: { ...clientInfo },
    answers: requireAnswers(answers),
    pushCalls: oneOf('pushCalls', pushCalls, ['reject', 'replay']),
    callerMeta: { ...callerMeta },
    timeout: integer('timeout', timeout, LONGEST_DELAY),
    maxRounds: options.maxRounds ?? 8,
    optionsOn: (clock) => optionsOn(options, { clock }),
  };
}

function requireAnswers(answers: Answers): Answers {
  if (typeof answers === 'function') return answers;
  if (typeof answers !== 'object' || answers === null) {
    throw wrongType('answers', 'a list, an object by key, or a function', answers);
  }
  const isList = Array.isArray(answers);
  if (!isList && !isPlainObject(answers)) {
    throw new TypeError(`answers must be a list, an object by key, or a function, got a ${answers.constructor.name}`);
  }
  for (const [key, given] of Object.entries(answers)) {
    const name = `answers[${isList ? key : JSON.stringify(key)}]`;
    if (!isList && Array.isArray(given))
      given.forEach((answer, index) => void requireAnswer(`${name}[${index}]`, answer));
    else requireAnswer(name, given);
  }
  return answers;
}

/** Not a Map or a promise, which have no answers as members. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `options` on the clock of a run, also for what is sealed, and with a key. */
function optionsOn(options: InputRequiredOptions, ports: Pick<Ports, 'clock'>): InputRequiredOptions {
  const { requestState = {} } = options;
  // With a hook, nobody is warned of what the transcripts tell.
  const own = { onEvent: () => undefined, ...options, ports };
  if (isCodec(requestState)) return own;
  const now = (): number => START + ports.clock.now();
  return { ...own, requestState: { keys: KEY, ports: { now }, ...requestState } };
}
