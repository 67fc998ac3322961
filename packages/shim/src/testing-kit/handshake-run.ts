/** Plays a script against a server on a handshake connection of revision 2025-11-25. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type EmbeddedMethod, isEmbeddedMethod } from '../core/embedded-request.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { METHOD_NOT_FOUND } from '../core/json-rpc.ts';
import { NEWEST_HANDSHAKE_REVISION } from '../core/revision.ts';
import { endConnection } from '../handshake/end-connection.ts';
import { ensureShim } from '../handshake/install.ts';
import { settingsOf } from '../handshake/settings.ts';
import { dueAnswer } from './answers.ts';
import { Notes, type RunInput } from './era-run.ts';
import { makeServer } from './make-server.ts';
import { MemoryLink } from './memory-link.ts';
import { release } from './release.ts';
import { answerStep, replyOf } from './reply.ts';
import { ScriptClock, settle } from './script-clock.ts';
import type { Transcript } from './transcript.ts';
import { within } from './within.ts';

/** @throws what the factory throws, and Error when the script has no answer or the server says nothing more. */
export async function runHandshake(input: RunInput): Promise<Transcript> {
  const clock = new ScriptClock();
  const settings = settingsOf(input.script.optionsOn(clock), true);
  const link = new MemoryLink();
  const run = new HandshakeRun(input, link, clock);
  const context = { era: 'handshake', ports: { clock } } as const;
  const making = makeServer(input.factory, context, { log: input.effects, onAsk: (ask) => run.noteAsk(ask) });
  const server = await within(making, input.script.timeout, 'handshake: the factory made no server');
  try {
    ensureShim(server, settings);
    return await run.play(server);
  } finally {
    const closing = endConnection(server, link, { clock, onError: () => undefined });
    await release(clock, closing, input.script.timeout);
  }
}

const CALL = 'call-1';

class HandshakeRun {
  readonly #input: RunInput;
  readonly #link: MemoryLink;
  readonly #clock: ScriptClock;
  readonly #notes: Notes;
  /** The keys of the ask that is out, in the order in which its questions come. */
  #keys: string[] = [];

  constructor(input: RunInput, link: MemoryLink, clock: ScriptClock) {
    this.#input = input;
    this.#link = link;
    this.#clock = clock;
    this.#notes = new Notes('handshake', input.effects);
  }

  noteAsk({ inputRequests }: JsonObject): void {
    this.#input.effects.startRun();
    this.#keys = isJsonObject(inputRequests) ? Object.keys(inputRequests) : [];
    // The shim waits a little before a run that has only a state, which nobody but the clock can end.
    if (this.#keys.length === 0) void this.#clock.advanceToNext();
  }

  async play(server: McpServer | Server): Promise<Transcript> {
    const { script } = this.#input;
    await within(server.connect(this.#link), script.timeout, 'handshake: the server did not connect');
    await this.#open();
    const { method, params } = script.request;
    const _meta = { progressToken: CALL, ...script.callerMeta };
    this.#link.say({ jsonrpc: '2.0', id: CALL, method, params: { ...params, _meta } });
    for (;;) {
      const message = await this.#next();
      if (message === undefined) return this.#notes.ended('disconnected');
      if (!('method' in message)) return this.#end(message);
      if (!('id' in message)) this.#notes.notification(message);
      else if (isEmbeddedMethod(message['method'])) {
        const transcript = await this.#answer(message, message['method']);
        if (transcript !== undefined) return transcript;
      } else this.#say(message, message['method'] === 'ping' ? { result: {} } : NOT_FOUND);
    }
  }

  async #open(): Promise<void> {
    const { capabilities, clientInfo } = this.#input.script;
    const params = { protocolVersion: NEWEST_HANDSHAKE_REVISION, capabilities, clientInfo };
    this.#link.say({ jsonrpc: '2.0', id: 'open-1', method: 'initialize', params });
    const answer = await this.#next();
    if (!isJsonObject(answer?.['result'])) {
      throw new Error(`handshake: the server refused initialize: ${JSON.stringify(answer?.['error'])}`);
    }
    this.#link.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  #next(): Promise<JsonObject | undefined> {
    return within(this.#link.next(), this.#input.script.timeout, 'handshake: the server sent nothing');
  }

  /** Answers a question; the transcript where the call ends with that. */
  async #answer(message: JsonObject, method: EmbeddedMethod): Promise<Transcript | undefined> {
    const isOfAsk = typeof message['id'] === 'string';
    const key = isOfAsk ? this.#keys.shift() : undefined;
    if (isOfAsk) {
      await settle();
      // Concurrent legs: the answer to another has ended the call, and a client that says one thing after another is
      // not asked any more, as a modern one is not.
      if (this.#link.hasAnswer(CALL)) return undefined;
    }
    const question = this.#notes.question({ key, method, params: (message['params'] ?? {}) as JsonObject });
    const { answer, after } = dueAnswer(this.#input.answers.next(question));
    const reply = replyOf(answer, question);
    if (after > 0) await this.#clock.advance(after);
    const isLate = this.#link.hasAnswer(CALL);
    const when = { ...(after > 0 ? { after } : {}), ...(isLate ? { isLate } : {}) };
    this.#notes.answer(answerStep(question, answer, reply, when));
    if (isLate) return undefined;
    if (!('gone' in reply)) this.#say(message, reply);
    else if (reply.gone === 'disconnect') return this.#leave('disconnected');
    else if (!(await this.#waitForEnd())) return this.#leave('timeout');
    return undefined;
  }

  #say({ id }: JsonObject, answer: JsonObject): void {
    this.#link.say({ jsonrpc: '2.0', id, ...answer });
  }

  /** Moves the clock until the call is answered; false when nothing on it ends the wait. */
  async #waitForEnd(): Promise<boolean> {
    while (!this.#link.hasAnswer(CALL)) if (!(await this.#clock.advanceToNext())) return false;
    return true;
  }

  async #leave(ending: 'disconnected' | 'timeout'): Promise<Transcript> {
    await this.#link.close();
    // What the handler does on hearing of it counts too.
    await settle();
    return this.#notes.ended(ending);
  }

  async #end(message: JsonObject): Promise<Transcript> {
    await settle();
    return this.#notes.answered(message);
  }
}

const NOT_FOUND = { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
