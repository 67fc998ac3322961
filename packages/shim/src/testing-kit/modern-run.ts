/** Plays a script against the serving entry, as a client on revision 2026-07-28. */
import type { EmbeddedMethod } from '../core/embedded-request.ts';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { HEADER_MISMATCH, type JsonRpcError, MISSING_CAPABILITY } from '../core/json-rpc.ts';
import type { McpHandler } from '../serving/mcp-handler.ts';
import { dueAnswer } from './answers.ts';
import { Notes, type RunInput } from './era-run.ts';
import { loadServe } from './load-serve.ts';
import { makeServer } from './make-server.ts';
import { envelopeOf, httpRequest, messagesOf, paramHeadersOf } from './modern-wire.ts';
import { release } from './release.ts';
import { answerStep, replyOf } from './reply.ts';
import { ScriptClock, settle } from './script-clock.ts';
import type { Ending, Transcript } from './transcript.ts';
import { within } from './within.ts';

/** @throws what the factory throws, and Error when the script has no answer or the server says nothing more. */
export async function runModern(input: RunInput): Promise<Transcript> {
  const { createMcpHandler } = await loadServe();
  const { factory, script, effects } = input;
  const clock = new ScriptClock();
  const run = new ModernRun(input, clock);
  const handler = createMcpHandler(
    async (context) => {
      try {
        run.isMaking = true;
        const watcher = { log: effects, onAsk: () => run.noteAsk() };
        return await makeServer(factory, { ...context, ports: { clock } }, watcher);
      } catch (error) {
        run.failure = { error };
        throw error;
      } finally {
        run.isMaking = false;
      }
    },
    { eras: 'modern', inputRequired: script.optionsOn(clock), pushCalls: script.pushCalls },
  );
  try {
    return await run.play(handler);
  } finally {
    await release(clock, handler.close(), script.timeout);
  }
}

interface Answered {
  readonly responses: JsonObject;
  /** The client gives the call up: one of the questions was not answered. */
  readonly ending: Ending | undefined;
  readonly waited: number;
}

class ModernRun {
  readonly #input: RunInput;
  readonly #clock: ScriptClock;
  readonly #notes: Notes;
  #lastId = 0;
  #paramHeaders: Record<string, string> = {};
  /** Whether the handler returned the ask of this run, rather than asking in mid-body. */
  #isReturned = false;
  /** Whether the factory is at work, which is under the limit of the request that it is called for. */
  isMaking = false;
  /** What the factory threw. */
  failure: { readonly error: unknown } | undefined;

  constructor(input: RunInput, clock: ScriptClock) {
    this.#input = input;
    this.#clock = clock;
    this.#notes = new Notes('modern', input.effects);
  }

  noteAsk(): void {
    this.#isReturned = true;
  }

  async play({ fetch }: Pick<McpHandler, 'fetch'>): Promise<Transcript> {
    const { script, effects } = this.#input;
    let retry: JsonObject = {};
    let asks = 0;
    for (let waited = 0; ; ) {
      this.#isReturned = false;
      const message = await this.#call(fetch, retry);
      await settle();
      const { result } = message;
      if (!isJsonObject(result) || !isInputRequiredResult(result)) return this.#end(message, waited);
      asks += this.#isReturned ? 1 : 0;
      // A server on this revision has no memory of the rounds: ending them is up to its client.
      if (asks > script.maxRounds) return this.#notes.ended('rounds-exceeded');
      effects.startRun();
      const requests = (result['inputRequests'] ?? {}) as Record<string, JsonObject>;
      const answered = await this.#answer(requests);
      if (answered.ending !== undefined) return this.#notes.ended(answered.ending);
      waited = answered.waited;
      const { requestState } = result;
      retry = {
        ...(Object.keys(requests).length === 0 ? {} : { inputResponses: answered.responses }),
        ...(requestState === undefined ? {} : { requestState }),
      };
    }
  }

  async #answer(requests: Record<string, JsonObject>): Promise<Answered> {
    const responses: JsonObject = Object.create(null) as JsonObject;
    let waited = 0;
    for (const [key, { method, params }] of Object.entries(requests)) {
      const question = this.#notes.question({
        key: this.#isReturned ? key : undefined,
        method: method as EmbeddedMethod,
        params: (params ?? {}) as JsonObject,
      });
      const { answer, after } = dueAnswer(this.#input.answers.next(question));
      const reply = replyOf(answer, question);
      if (after > 0) await this.#clock.advance(after);
      waited += after;
      this.#notes.answer(answerStep(question, answer, reply, after > 0 ? { after } : {}));
      if ('gone' in reply) return { responses, waited, ending: reply.gone === 'never' ? 'timeout' : 'disconnected' };
      // Spec, basic/patterns/mrtr: there is no error among the answers; who refuses does not call again.
      if ('error' in reply) return { responses, waited, ending: 'client-error' };
      responses[key] = reply.result;
    }
    return { responses, waited, ending: undefined };
  }

  async #call(fetch: McpHandler['fetch'], retry: JsonObject): Promise<JsonObject> {
    const { method, params } = this.#input.script.request;
    const answer = await this.#send(fetch, method, { ...params, ...retry });
    if (method !== 'tools/call' || errorOf(answer)?.code !== HEADER_MISMATCH) return answer;
    // Spec, streamable-http: then the client lists the tools, to learn which arguments have headers.
    const listed = await this.#send(fetch, 'tools/list', {});
    const tools = isJsonObject(listed['result']) ? (listed['result']['tools'] as JsonObject[]) : [];
    const tool = tools.find(({ name }) => name === params['name']);
    this.#paramHeaders = paramHeadersOf(tool?.['inputSchema'], params['arguments']);
    return this.#send(fetch, method, { ...params, ...retry });
  }

  async #send(fetch: McpHandler['fetch'], method: string, params: JsonObject): Promise<JsonObject> {
    const { script } = this.#input;
    this.#lastId += 1;
    const envelope = envelopeOf(script.capabilities, script.clientInfo);
    const meta = { progressToken: `call-${this.#lastId}`, ...script.callerMeta, ...envelope };
    const request = httpRequest({ id: this.#lastId, method, params, meta, paramHeaders: this.#paramHeaders });
    const exchange = fetch(request).then(messagesOf);
    const messages = await within(exchange, script.timeout, () =>
      this.isMaking ? 'modern: the factory made no server' : 'modern: the server did not answer',
    );
    if (this.failure !== undefined) throw this.failure.error;
    for (const message of messages) if ('method' in message) this.#notes.notification(message);
    return messages.at(-1) ?? {};
  }

  #end(message: JsonObject, waited: number): Transcript {
    const error = errorOf(message);
    const data = isJsonObject(error?.data) ? error.data : {};
    if (error?.code === MISSING_CAPABILITY) {
      const { requiredCapabilities } = data;
      return this.#notes.ended('unsupported', { error, outcome: { reason: 'unsupported', requiredCapabilities } });
    }
    // The state has expired with its round.
    if (error !== undefined && waited > 0 && data['reason'] === 'invalid_request_state') {
      return this.#notes.ended('timeout', { error });
    }
    return this.#notes.answered(message);
  }
}

function errorOf(message: JsonObject): JsonRpcError | undefined {
  return message['error'] as JsonRpcError | undefined;
}
