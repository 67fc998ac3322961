import { createMcpHandler } from 'mcp-dual-era/serve';
import { modernMessage } from './malformed-request.ts';
import { listenNode } from './node-server.ts';
import { createSessionServer, newLog } from './session-server.ts';

// Opens all that an endpoint can have open, closes it, and leaves the rest to the event loop. Tells its figures as JSON
// lines before and after.

const log = newLog();
const handler = createMcpHandler((context) => createSessionServer(log, context));
const server = await listenNode((request, response) => handler.node(request, response));

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url, { method: 'POST', headers: { ...TYPES, ...headers }, body: JSON.stringify(body) });
const tell = (): unknown => process.stdout.write(`${JSON.stringify(handler.stats())}\n`);

async function openSession(): Promise<Record<string, string>> {
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const modern = (method: string, params: object, name?: string): Promise<Response> => {
  const mirrored = { 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) };
  return post(modernMessage(method, params), { 'mcp-protocol-version': '2026-07-28', ...mirrored });
};

const session = await openSession();
await fetch(server.url, { headers: { ...TYPES, ...session } });
await post(call('ask'), session);
await openSession();
void modern('tools/call', { name: 'wait', arguments: {} }, 'wait').catch(() => undefined);
await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
while (log.waiting.length < 1) await new Promise((resolve) => setImmediate(resolve));
tell();
await handler.close();
tell();
await server.close();
