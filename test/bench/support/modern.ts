/** A server with four tools, a prompt and a resource, on SDK v1 behind the bridge and on the official SDK v2. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { createMcpHandler as createHandlerV2, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from 'zod';
import type { JsonObject } from '../../../packages/shim/src/core/json.ts';

interface Schemas {
  readonly tool: () => z.ZodObject<{ text: z.ZodString }>;
  readonly prompt: () => z.ZodObject<{ topic: z.ZodString }>;
}

const tool = () => z.object({ text: z.string() });
const prompt = () => z.object({ topic: z.string() });
const TOOL = tool();
const PROMPT = prompt();

/** Where a server has its schemas: in its factory, as servers are written, or made once for all that it makes. */
const SCHEMAS: Record<'inline' | 'hoisted', Schemas> = {
  inline: { tool, prompt },
  hoisted: { tool: () => TOOL, prompt: () => PROMPT },
};
export type Written = keyof typeof SCHEMAS;

const NAMES = ['echo', 'shout', 'whisper', 'repeat'];
const URI = 'file:///notes.txt';
const INFO = { name: 'bench', version: '1.0.0' };

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const asked = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });
const read = () => ({ contents: [{ uri: URI, text: 'notes' }] });

type Fetch = (request: Request) => Promise<Response>;

/** @param isShared - whether all instances share one validator, as the documentation advises. */
export function bridged(isShared: boolean, written: Written): Fetch {
  return createMcpHandler(factory(isShared, written)).fetch;
}

/** The least that a bridge can do: the official engine hands the call on to an SDK v1 server, and nothing is checked. */
export function bareBridge(isShared: boolean, written: Written): Fetch {
  const make = factory(isShared, written);
  const engine = createHandlerV2(() => connect(make()), { legacy: 'reject' });
  return async (request) => engine.fetch(request, { parsedBody: await request.json() });
}

function factory(isShared: boolean, written: Written): () => McpServer {
  const shared = isShared ? { jsonSchemaValidator: new AjvJsonSchemaValidator() } : {};
  const schemas = SCHEMAS[written];
  return () => {
    const server = new McpServer(INFO, shared);
    for (const name of NAMES) server.registerTool(name, { inputSchema: schemas.tool() }, ({ text }) => said(text));
    server.registerPrompt('topic', { argsSchema: schemas.prompt().shape }, ({ topic }) => asked(topic));
    server.registerResource('notes', URI, {}, read);
    return server;
  };
}

/** `server`, connected and initialized, behind a product for the engine. */
async function connect(server: McpServer): Promise<McpServerV2> {
  let settle: (result: JsonObject) => void = () => undefined;
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => settle((message as { readonly result: JsonObject }).result),
    close: async () => transport.onclose?.(),
  };
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    new Promise((resolve) => {
      settle = resolve;
      transport.onmessage?.({ jsonrpc: '2.0', id: method, method, params });
    });
  await server.connect(transport);
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
  const { capabilities } = await ask('initialize', client);
  const product = new McpServerV2(INFO, { jsonSchemaValidator: { getValidator: () => () => VALID } });
  product.server.registerCapabilities(capabilities as JsonObject);
  product.server.onclose = () => void server.close();
  product.server.fallbackRequestHandler = ({ method, params }) => ask(method, { ...params, _meta: {} });
  return product;
}

export function native(written: Written): Fetch {
  const schemas = SCHEMAS[written];
  return createHandlerV2(() => {
    const server = new McpServerV2(INFO);
    for (const name of NAMES) server.registerTool(name, { inputSchema: schemas.tool() }, ({ text }) => said(text));
    server.registerPrompt('topic', { argsSchema: schemas.prompt() }, ({ topic }) => asked(topic));
    server.registerResource('notes', URI, {}, read);
    return server;
  }).fetch;
}

const VALID = { valid: true as const, data: undefined as never, errorMessage: undefined };

/** A tools/call of revision 2026-07-28. */
export function modernCall(id: number): Request {
  const body = {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'echo',
      arguments: { text: `hello ${id}` },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    },
    body: JSON.stringify(body),
  });
}
