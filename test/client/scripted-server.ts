import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenNode } from '../serve/node-server.ts';
import type { Json } from '../support/json.ts';

/** A request as it came over the wire. */
interface Told {
  readonly id: string | number;
  readonly method: string;
  readonly params: Json;
  readonly headers: IncomingHttpHeaders;
}

/** `raw` goes out as it is, in place of the response to the request. */
export interface Reply {
  readonly result?: unknown;
  readonly error?: Json;
  readonly status?: number;
  readonly raw?: string;
}

/** Nothing when it has taken the response over, or lets it wait. `count` is of this method, from 0. */
export type Script = (
  told: Told,
  response: ServerResponse,
  count: number,
) => Reply | undefined | Promise<Reply | undefined>;

export interface ScriptedServer {
  readonly url: URL;
  /** All requests, in order. */
  readonly told: Told[];
  toldOf(method: string): Told[];
  close(): Promise<void>;
}

export const COMPLETE = { resultType: 'complete' };
const CACHE = { ttlMs: 0, cacheScope: 'private' };
const DISCOVERED = {
  ...COMPLETE,
  ...CACHE,
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, prompts: {}, resources: {} },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } },
};

export const said = (text: string): Reply => ({ result: { ...COMPLETE, content: [{ type: 'text', text }] } });
export const toolsOf = (...tools: Json[]): Reply => ({ result: { ...COMPLETE, ...CACHE, tools } });
export const toolOf = (name: string, inputSchema: Json = { type: 'object' }, more: Json = {}): Json => ({
  name,
  inputSchema,
  ...more,
});
export const ask = (inputRequests?: unknown, requestState?: unknown): Reply => ({
  result: {
    resultType: 'input_required',
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(requestState === undefined ? {} : { requestState }),
  },
});

const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
export const form = (message = 'Your name?'): Json => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: SCHEMA },
});
export const openUrl = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://a.example/x' },
};
export const sampling = (more: Json = {}): Json => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }], maxTokens: 5, ...more },
});
export const rootsList = { method: 'roots/list' };

/**
 * A modern server over HTTP that says exactly what its test says; `discovered` goes over what it says of itself.
 * Notifications are taken, or left without an answer when it `isSilent`.
 */
export async function serveScript(
  script: Script,
  discovered: Json = {},
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): Promise<ScriptedServer> {
  const told: Told[] = [];
  const server = await listenNode(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params = {} } = JSON.parse(text) as Json;
    const one: Told = { id, method, params, headers: request.headers };
    if (id === undefined && !isSilent) return void response.writeHead(202).end();
    const count = told.filter((other) => other.method === method).length;
    told.push(one);
    const reply = (await script(one, response, count)) ?? defaultReply(one, discovered);
    if (reply === undefined || response.headersSent) return;
    const { result, error, status = error === undefined ? 200 : 400, raw } = reply;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(raw ?? JSON.stringify({ jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) }));
  });
  onTestFinished(() => server.close());
  return { ...server, told, toldOf: (method) => told.filter((one) => one.method === method) };
}

function defaultReply({ method }: Told, discovered: Json): Reply | undefined {
  if (method === 'server/discover') return { result: { ...DISCOVERED, ...discovered } };
  if (method === 'tools/list') return toolsOf(toolOf('ask'));
  return undefined;
}

/** Starts an event stream as the response, and gives what writes one message to it. */
export function openStream(response: ServerResponse): (message: Json) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return (message) =>
    void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

/** Answers the calls of tools one after the other, the last reply again and again. */
export const calls =
  (...replies: readonly Reply[]): Script =>
  ({ method }, _response, count) =>
    method === 'tools/call' ? replies[Math.min(count, replies.length - 1)] : undefined;
