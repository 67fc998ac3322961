/** A server with four tools, a prompt and a resource, on SDK v1 behind the bridge and on the official SDK v2. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { createMcpHandler as createHandlerV2, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from 'zod';

// Outside the factory, as anybody does who cares about speed: what is made anew for each request is the server.
const TOOL = z.object({ text: z.string() });
const PROMPT = z.object({ topic: z.string() });
const NAMES = ['echo', 'shout', 'whisper', 'repeat'];
const URI = 'file:///notes.txt';
const INFO = { name: 'bench', version: '1.0.0' };

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const asked = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });
const read = () => ({ contents: [{ uri: URI, text: 'notes' }] });

type Fetch = (request: Request) => Promise<Response>;

/** @param isShared - whether all instances share one validator, as the documentation advises. */
export function bridged(isShared: boolean): Fetch {
  const shared = isShared ? { jsonSchemaValidator: new AjvJsonSchemaValidator() } : {};
  return createMcpHandler(() => {
    const server = new McpServer(INFO, shared);
    for (const name of NAMES) server.registerTool(name, { inputSchema: TOOL }, ({ text }) => said(text));
    server.registerPrompt('topic', { argsSchema: PROMPT.shape }, ({ topic }) => asked(topic));
    server.registerResource('notes', URI, {}, read);
    return server;
  }).fetch;
}

/** @param isShared - whether all instances share one validator, which SDK v2 does not advise, but takes. */
export function native(isShared: boolean): Fetch {
  const shared = isShared ? { jsonSchemaValidator: { getValidator: () => () => VALID } } : {};
  return createHandlerV2(() => {
    const server = new McpServerV2(INFO, shared);
    for (const name of NAMES) server.registerTool(name, { inputSchema: TOOL }, ({ text }) => said(text));
    server.registerPrompt('topic', { argsSchema: PROMPT }, ({ topic }) => asked(topic));
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
