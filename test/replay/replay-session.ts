import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { DualEraEvent, InputRequired, InputRequiredOptions } from 'mcp-dual-era';
import { createMcpHandler, type HttpServeOptions, type McpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { modern, retryOf } from '../serve/modern-message.ts';
import { expectValid } from '../serve/modern-schema.ts';
import { mirrorHeaders } from '../serve/play-vector.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a handler has at hand. */
export interface Act {
  readonly server: Server;
  readonly extra: Extra;
  /** The argument of the call; 0 for a resource. */
  readonly n: number;
}

/** A handler: its text becomes the result of a tool, a prompt or a resource, and an ask is returned as it is. */
export type Body = (act: Act) => Promise<string | InputRequired | CallToolResult>;

export interface ReplaySettings {
  readonly sdk?: SdkName;
  readonly options?: HttpServeOptions;
}

/** A server of SDK v1 with one handler, which is a tool, a prompt and a resource. */
export function actingFactory(body: Body, sdk: SdkName = 'newest'): ServerFactory {
  const { McpServer } = sdkNamed(sdk);
  return () => {
    const server = new McpServer({ name: 'acting', version: '1' }, { capabilities: { logging: {} } });
    const act = (extra: Extra, n = 0) => body({ server: server.server, extra, n });
    server.registerTool('act', { inputSchema: { n: z.number().optional() } }, async ({ n }, extra) => {
      const result = await act(extra, n);
      return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
    });
    server.registerPrompt('act', {}, async (extra) => {
      const text = await act(extra as unknown as Extra);
      if (typeof text !== 'string') return text as InputRequired;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
    server.registerResource('act', 'act://it', {}, async ({ href }, extra) => {
      const text = await act(extra);
      return typeof text === 'string' ? { contents: [{ uri: href, text }] } : (text as InputRequired);
    });
    return server;
  };
}

/** What came in one HTTP response. */
export interface Told {
  readonly notifications: readonly Json[];
  readonly answer: Json;
}

export interface Replayed {
  readonly handler: McpHandler;
  readonly events: DualEraEvent[];
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Sends one message, as a strict client: whatever it gets has to be valid. */
  tell(message: Json): Promise<Told>;
}

/** The key of every server here, so that none is sealed with one of its own. */
export const KEY = '0123456789abcdef0123456789abcdef';

export const URL_SERVED = 'http://127.0.0.1/mcp';

/** Serves `factory` with `pushCalls: 'replay'`, unless told otherwise, until the test is over. */
export function serveReplay(factory: ServerFactory, options: HttpServeOptions = {}): Replayed {
  const events: DualEraEvent[] = [];
  const inputRequired: InputRequiredOptions = {
    onEvent: (event) => void events.push(event),
    ...options.inputRequired,
    requestState: { keys: [KEY], ...(options.inputRequired || undefined)?.requestState },
  };
  const handler = createMcpHandler(factory, { pushCalls: 'replay', ...options, inputRequired });
  onTestFinished(() => handler.close());
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const tell = async (message: Json): Promise<Told> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...mirrorHeaders(message),
    };
    const response = await fetch(URL_SERVED, { method: 'POST', headers, body: JSON.stringify(message) });
    const received = messagesOf(await response.text());
    for (const one of received) expectValid(one, message['method']);
    return { notifications: received.slice(0, -1), answer: received.at(-1) as Json };
  };
  return { handler, events, fetch, tell };
}

export function serveBody(body: Body, { sdk, options }: ReplaySettings = {}): Replayed {
  return serveReplay(actingFactory(body, sdk), options);
}

function messagesOf(text: string): Json[] {
  if (text.startsWith('{')) return [JSON.parse(text) as Json];
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

/** The first request of a call, by a client that can be asked everything. */
export const firstCall = (n?: number, capabilities: Json = ALL_CAPABILITIES): Json =>
  modern('tools/call', { name: 'act', arguments: n === undefined ? {} : { n } }, { capabilities });

export const isAsk = ({ result }: Json): boolean => result?.resultType === 'input_required';

/** The embedded requests of an ask, in order. */
export const questionsOf = ({ result }: Json): Json[] => Object.values(result.inputRequests ?? {});

/** Answers an embedded request; undefined leaves it without an answer. */
export type Person = (question: Json, key: string) => Json | undefined;

export interface Played {
  /** The questions of each round. */
  readonly rounds: readonly Json[][];
  /** The texts of the questions, round by round. */
  readonly texts: readonly string[][];
  readonly answer: Json;
  readonly notifications: readonly Json[];
}

/** Plays a client that answers every round, until the call ends or `maxRounds` rounds are over. */
export async function play(
  { tell }: Pick<Replayed, 'tell'>,
  person: Person,
  { request = firstCall(), maxRounds = 20 }: { readonly request?: Json; readonly maxRounds?: number } = {},
): Promise<Played> {
  const rounds: Json[][] = [];
  const notifications: Json[] = [];
  for (let next = request; ; ) {
    const told = await tell(next);
    notifications.push(...told.notifications);
    const { answer } = told;
    if (isAsk(answer)) rounds.push(questionsOf(answer));
    const texts = rounds.map((round) => round.map(textOfQuestion));
    if (!isAsk(answer) || rounds.length === maxRounds) return { rounds, texts, answer, notifications };
    next = retryOf(request, answer, answersTo(answer, person));
  }
}

/** What `person` answers to `asked`, by key. */
export function answersTo({ result }: Json, person: Person): Json {
  const answers: Json = {};
  for (const [key, question] of Object.entries((result.inputRequests ?? {}) as Json)) {
    const answer = person(question as Json, key);
    if (answer !== undefined) answers[key] = answer;
  }
  return answers;
}

function textOfQuestion({ method, params }: Json): string {
  return method === 'elicitation/create' ? String(params.message) : String(method);
}

/** The events of `type` so far. */
export const eventsOf = <Type extends DualEraEvent['type']>({ events }: Pick<Replayed, 'events'>, type: Type) =>
  events.filter((event): event is Extract<DualEraEvent, { type: Type }> => event.type === type);
