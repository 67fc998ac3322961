import { readFileSync } from 'node:fs';
import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { type Bindings, findMismatch, substitute } from '../spec/match.ts';
import type { Json } from '../support/json.ts';

// The states of our codec on the 2026-07-28 wire, which the official v2 server speaks here.
const codec = createRequestStateCodec({ keys: '0123456789abcdef0123456789abcdef' });
const callOf = ({ mcpReq }: ServerContext) => ({ binding: mcpReq.method });

function createServer(): McpServer {
  const verify = (state: string, ctx: ServerContext): unknown => codec.verify(state, callOf(ctx));
  const server = new McpServer({ name: 'vectors', version: '1.0.0' }, { requestState: { verify } });
  server.registerTool('ask_name', {}, (ctx: ServerContext) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'who');
    if (answer.kind !== 'elicit') {
      const requestedSchema = {
        type: 'object' as const,
        properties: { name: { type: 'string' as const } },
        required: ['name'],
      };
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
        requestState: codec.mint({ asked: true }, callOf(ctx)),
      });
    }
    expect(ctx.mcpReq.requestState()).toEqual({ asked: true });
    if (answer.action !== 'accept') return { content: [{ type: 'text', text: 'declined' }], isError: true };
    return { content: [{ type: 'text', text: `Hello ${String((answer.content as Json)['name'])}` }] };
  });
  server.registerTool('wait', {}, (ctx: ServerContext) => {
    if (ctx.mcpReq.requestState() !== undefined) return { content: [{ type: 'text', text: 'done' }] };
    return inputRequired({ requestState: codec.mint('waiting', callOf(ctx)) });
  });
  return server;
}

const vectors = (JSON.parse(readFileSync(new URL('../spec/vectors.json', import.meta.url), 'utf8')).vectors as Json[])
  .filter(({ id }) => ['V04', 'V05', 'V15', 'V18'].includes(String(id)))
  .map(({ id, title, steps }) => ({ id: String(id), title: String(title), steps: steps as Json[] }));

function post(message: Json): Request {
  const { name } = message['params'] as { name: string };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': String(message['method']),
    'mcp-name': name,
  };
  return new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
}

describe('a state of this codec, on the wire of the official v2 server 2.4.0', () => {
  it.each(vectors)('[$id] $title', async ({ steps }) => {
    const handler = createMcpHandler(createServer);
    const bindings: Bindings = new Map();
    let response: Response | undefined;
    for (const step of steps) {
      if ('send' in step) response = await handler.fetch(post(substitute(step['send'], bindings) as Json));
      if ('status' in step) expect(response?.status).toBe(step['status']);
      if ('expect' in step) expect(findMismatch(step['expect'], await response?.json(), bindings)).toBeUndefined();
    }
    await handler.close();
  });

  it('has the four vectors with a state', () => {
    expect(vectors.map(({ id }) => id)).toEqual(['V04', 'V05', 'V15', 'V18']);
  });
});
