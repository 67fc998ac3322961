/** What a call came to, in words, and what to change where that is not as it should be. */
import { errorInBody } from '../../core/error-in-body.ts';
import { isInputRequiredResult } from '../../core/input-required.ts';
import { isJsonObject, type JsonObject, ownMember } from '../../core/json.ts';
import { MISSING_CAPABILITY, URL_ELICITATION_REQUIRED } from '../../core/json-rpc.ts';
import { OUTCOME_KEY, type OutcomeReason } from '../../core/outcome.ts';
import { messageOf } from './error-words.ts';
import type { CallReport, ClientKind, Verdict } from './model.ts';
import type { CallEnd } from './open-client.ts';
import { type Look, TimeUp } from './step.ts';

type Outcome = Omit<CallReport, 'questions'>;

const WITHOUT_MIDDLEWARE = 'no middleware was there to ask';
const PUSHED = 'cannot be sent while a modern client is served';

/** docs/errors.md has a heading for each reason. */
const REASONS: Readonly<Record<OutcomeReason, readonly [verdict: Verdict, cure: string]>> = {
  unsupported: ['warning', 'check ctx.canAsk(kind) in the handler, and offer another way'],
  'no-channel': ['problem', 'serve HTTP with sessions (sessionIdGenerator) and with streams (no enableJsonResponse)'],
  timeout: ['problem', 'raise roundTimeout: the question was answered at once, and the answer did not arrive in time'],
  'client-error': ['ok', 'the client refused with an error, as it should'],
  malformed: ['problem', 'see docs/errors.md: the answer, a decline, was taken for something else'],
  declined: ['warning', "return a result when ctx.elicitResult(key)?.action is 'decline', rather than ask again"],
  cancelled: ['warning', "return a result when ctx.elicitResult(key)?.action is 'cancel', rather than ask again"],
  'repeated-ask': ['warning', 'return a result for a no, rather than ask again'],
  'rounds-exceeded': ['warning', 'return a result for a no, ask for several things in one round, or raise maxRounds'],
  busy: ['warning', 'allow more held calls (createHolds), or run more processes'],
  'shim-off': ['problem', 'withInputRequiredShim(server), or a handler that does not ask'],
};

export function outcomeOfEnd(
  look: Look,
  kind: ClientKind,
  { end: { result, stopped }, asked }: { end: CallEnd; asked: number },
): Outcome {
  const meta = result['_meta'];
  const refused = isJsonObject(meta) ? ownMember(meta, OUTCOME_KEY) : undefined;
  if (isJsonObject(refused)) return outcomeOfReason(look, kind, refused);
  const text = textOf(result);
  if (stopped !== undefined) {
    const isEndless = stopped.startsWith('still');
    if (!isEndless) return { verdict: 'ok', outcome: 'refused', seen: `the client ${stopped}` };
    return warning('rounds-exceeded', `the tool ${stopped}, after as many refusals`);
  }
  if (isInputRequiredResult(result) || text.includes(WITHOUT_MIDDLEWARE)) {
    return {
      verdict: 'problem',
      outcome: 'not-wrapped',
      seen: 'the question came back as the result of the call: nobody was asked',
      cure: 'withInputRequiredShim(server) before connect, or serve with mcp-dual-era/serve',
      page: 'docs/start.md',
    };
  }
  const words = text === '' ? '' : `: ${look.tell(text, 120)}`;
  if (result['isError'] !== true) return { verdict: 'ok', outcome: 'result', seen: `a result${words}` };
  const seen = `an error result${words}`;
  const outcome = 'error result';
  if (isForgotten(text, kind)) {
    const cure = 'give sessions: without them the server does not know what its client declared';
    return { verdict: 'problem', outcome, seen, cure, page: 'docs/serving.md#sessions' };
  }
  if (asked > 0 || !hasAll(kind)) return { verdict: 'ok', outcome, seen };
  const cure = 'see what the error says (a tool may need --arguments): this client could have been asked, and was not';
  return { verdict: 'warning', outcome, seen, cure, page: 'docs/doctor.md#call' };
}

/** What SDK v1 and v2 say of a client that did not declare a kind of question, said to one that did. */
function isForgotten(text: string, kind: ClientKind): boolean {
  if (text.includes('did not declare the required capability')) {
    return hasAll(kind) || (text.includes('no client capabilities are available') && kind !== 'none');
  }
  const [, denied] = /Client does not support (form|url|elicitation|sampling|listing roots)\b/.exec(text) ?? [];
  if (denied === undefined) return false;
  return hasAll(kind) || denied === kind || (denied === 'elicitation' && kind !== 'none');
}

function hasAll(kind: ClientKind): boolean {
  return kind === 'all' || kind === 'stateless';
}

export function outcomeOfError(
  look: Look,
  kind: ClientKind,
  { error, asked }: { error: unknown; asked: number },
): Outcome {
  if (error instanceof TimeUp) {
    const seen =
      asked === 0 ? `${error.message}, and nothing was asked` : `${error.message} after its question was declined`;
    const cure = 'see whether the handler waits for something else than its client; or give --timeout more';
    return { verdict: 'problem', outcome: 'timeout', seen, cure, page: 'docs/doctor.md#call' };
  }
  const { code, message, data } = rpcErrorOf(error);
  if (code === MISSING_CAPABILITY) {
    return outcomeOfReason(look, kind, { ...(isJsonObject(data) ? data : {}), reason: 'unsupported' });
  }
  if (isJsonObject(data) && typeof data['reason'] === 'string' && 'target' in data)
    return outcomeOfReason(look, kind, data);
  const seen = `error ${code === undefined ? '' : `${look.tell(code)}: `}${look.tell(message, 160)}`;
  if (message.includes(PUSHED)) {
    const cure = "return the question (inputRequired), or serve with pushCalls: 'replay'";
    return { verdict: 'problem', outcome: 'error', seen, cure, page: 'docs/existing-servers.md' };
  }
  if (code === URL_ELICITATION_REQUIRED) {
    const verdict = kind === 'url' || hasAll(kind) ? 'ok' : 'warning';
    const how = {
      verdict,
      outcome: 'url-required',
      seen: `error ${URL_ELICITATION_REQUIRED}: the person has to visit a page first`,
    } as const;
    if (verdict === 'ok') return how;
    return { ...how, cure: 'send only clients to a page that declare elicitation.url', page: 'docs/doctor.md#call' };
  }
  if (message.includes('cannot ask: ')) {
    const cure = 'change the question as the error says: it was not put to anybody';
    return { verdict: 'problem', outcome: 'error', seen, cure, page: 'docs/errors.md#-32603-toolscall-cannot-ask-' };
  }
  const cure =
    asked > 0
      ? 'answer a call that the person refused with a result'
      : 'see what the error says (a tool may need --arguments)';
  return { verdict: 'warning', outcome: 'error', seen, cure, page: 'docs/doctor.md#call' };
}

function outcomeOfReason(look: Look, kind: ClientKind, outcome: JsonObject): Outcome {
  const { reason, requiredCapabilities, revision } = outcome;
  const known = typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? (reason as OutcomeReason) : undefined;
  if (known === undefined) {
    return warning(look.tell(reason, 40), 'an outcome that this version of the doctor does not know');
  }
  const [verdict, cure] = REASONS[known];
  const page = `docs/errors.md#${known}`;
  if (known !== 'unsupported') {
    const seen = `the call ended with ${known}`;
    return verdict === 'ok' ? { verdict, outcome: known, seen } : { verdict, outcome: known, seen, cure, page };
  }
  const names = isJsonObject(requiredCapabilities) ? capabilityNames(requiredCapabilities) : [];
  const missing =
    names.length === 0
      ? `revision ${look.tell(revision, 20)} cannot say it`
      : `this client lacks ${look.tell(names.join(', '))}`;
  const seen = `refused: ${missing}`;
  // A client that cannot be asked is refused as it should be; one that declares all should not be.
  if (names.length > 0 && !hasAll(kind)) return { verdict: 'ok', outcome: known, seen };
  return { verdict, outcome: known, seen, cure, page };
}

function warning(outcome: string, seen: string): Outcome {
  const cure = 'return a result for a no, rather than ask again';
  return { verdict: 'warning', outcome, seen, cure, page: 'docs/doctor.md#call' };
}

/** `elicitation.form` and the like. */
function capabilityNames(required: JsonObject): string[] {
  return Object.entries(required).flatMap(([name, modes]) => {
    const inner = isJsonObject(modes) ? Object.keys(modes) : [];
    return inner.length === 0 ? [name] : inner.map((mode) => `${name}.${mode}`);
  });
}

function textOf(result: JsonObject): string {
  const { content } = result;
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
}

/** The JSON-RPC error, which may be in the body of an HTTP answer that the transport threw for its status. */
export function rpcErrorOf(error: unknown): { code: unknown; message: string; data?: unknown } {
  const { code, message, data } = (isJsonObject(error) ? error : {}) as Readonly<Record<string, unknown>>;
  const text = error instanceof Error ? messageOf(error) : String(message ?? error);
  // SDK v1 has the body in its message alone.
  const body =
    isJsonObject(data) && typeof data['text'] === 'string' ? data['text'] : text.slice(Math.max(0, text.indexOf('{')));
  return errorInBody(body) ?? { code, message: text, data };
}
