import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { onTestFinished } from 'vitest';
import { listenNode } from '../serve/node-server.ts';
import { type FactorySettings, serveFactory } from '../support/serve-factory.ts';

const SURE = form({ sure: field.boolean() });
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** What its tools did: the doctor must never get anybody to agree. */
interface Log {
  runs: number;
  agreed: number;
}

export function createServer(log: Log): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' });
  server.registerTool('form', {}, (extra) => {
    log.runs += 1;
    const ctx = inputContext(extra);
    if (ctx.accepted('sure', SURE)?.sure === true) log.agreed += 1;
    if (ctx.elicitResult('sure') !== undefined) return said('not done');
    return inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: 'Sure?', requestedSchema: SURE }) },
    });
  });
  server.registerTool('stubborn', {}, () =>
    inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: 'Sure?', requestedSchema: SURE }) } }),
  );
  server.registerTool('pay', {}, (extra) => {
    const url = 'https://pay.example.com/private-token';
    if (inputContext(extra).elicitResult('pay') !== undefined) return said('not paid');
    return inputRequired({ inputRequests: { pay: inputRequired.elicitUrl({ message: 'Pay here', url }) } });
  });
  server.registerTool('think', {}, (extra) => {
    if (inputContext(extra).samplingResult('idea') !== undefined) log.agreed += 1;
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'An idea?' } }];
    return inputRequired({ inputRequests: { idea: inputRequired.createMessage({ messages, maxTokens: 10 }) } });
  });
  server.registerTool('silent', {}, () => new Promise(() => undefined));
  server.registerTool('push', {}, async () => {
    const requestedSchema = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };
    const { action } = await server.server.elicitInput({ message: 'Sure?', requestedSchema });
    if (action === 'accept') log.agreed += 1;
    return said(action);
  });
  return server;
}

export async function listen(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const { url, close } = await listenNode(handle);
  onTestFinished(close);
  return url.href;
}

export async function serveBoth(log: Log = { runs: 0, agreed: 0 }): Promise<{ url: string; sessions(): number }> {
  // A hook, so that nothing is warned of.
  const handler = createMcpHandler(() => createServer(log), { inputRequired: { onEvent: () => undefined } });
  const url = await listen((request, response) => handler.node(request, response));
  onTestFinished(() => handler.close());
  return { url, sessions: () => handler.stats().sessions };
}

export async function servePlain(settings: FactorySettings = {}): Promise<string> {
  const { url, close } = await serveFactory(() => createServer({ runs: 0, agreed: 0 }), settings);
  onTestFinished(close);
  return url.href;
}
