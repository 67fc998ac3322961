import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, type Extra } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';

const FORMS = { capabilities: { elicitation: {} } };
const CAPABILITIES = { tools: {}, prompts: {}, resources: {} };
const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

/** The person's name, or the ask for it. */
function nameOf(extra: Extra) {
  const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
  const ask = () =>
    inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) } });
  return name === undefined ? { ask: ask() } : { name };
}

function registerHighLevel(server: McpServer): void {
  server.registerTool('greet', {}, (extra) => {
    const { name, ask } = nameOf(extra);
    return ask ?? { content: [{ type: 'text', text: `Hello ${name}` }] };
  });
  // SDK v1 types the extra of a prompt without arguments as its arguments.
  server.registerPrompt('greet', {}, (extra: unknown) => {
    const { name, ask } = nameOf(extra as Extra);
    return ask ?? { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }] };
  });
  server.registerResource('static', 'greet://static', {}, (uri, extra) => {
    const { name, ask } = nameOf(extra);
    return ask ?? { contents: [{ uri: uri.href, text: `Hello ${name}` }] };
  });
  const template = new ResourceTemplate('greet://to/{place}', { list: undefined });
  server.registerResource('template', template, {}, (uri, { place }, extra) => {
    const { name, ask } = nameOf(extra);
    return ask ?? { contents: [{ uri: uri.href, text: `Hello ${name} in ${place}` }] };
  });
}

function registerLowLevel(server: Server): void {
  server.setRequestHandler(CallToolRequestSchema, (_request, extra) => {
    const { name, ask } = nameOf(extra);
    return ask ?? { content: [{ type: 'text', text: `Hello ${name}` }] };
  });
  server.setRequestHandler(GetPromptRequestSchema, (_request, extra) => {
    const { name, ask } = nameOf(extra);
    return ask ?? { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }] };
  });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) => {
    const { name, ask } = nameOf(extra);
    const place = /^greet:\/\/to\/(.*)/.exec(params.uri)?.[1];
    const text = place === undefined ? `Hello ${name}` : `Hello ${name} in ${place}`;
    return ask ?? { contents: [{ uri: params.uri, text }] };
  });
}

async function askedOnce(peer: Peer, method: string, params: Json): Promise<Json> {
  await peer.request(method, params);
  const leg = await peer.next();
  expect([leg['method'], leg['params'].message]).toEqual(['elicitation/create', 'Your name?']);
  await peer.answer(leg, ADA);
  return (await peer.next())['result'];
}

async function expectAllServed(peer: Peer): Promise<void> {
  expect(await askedOnce(peer, 'tools/call', { name: 'greet', arguments: {} })).toEqual({
    content: [{ type: 'text', text: 'Hello Ada' }],
  });
  expect(await askedOnce(peer, 'prompts/get', { name: 'greet' })).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
  });
  expect(await askedOnce(peer, 'resources/read', { uri: 'greet://static' })).toEqual({
    contents: [{ uri: 'greet://static', text: 'Hello Ada' }],
  });
  expect(await askedOnce(peer, 'resources/read', { uri: 'greet://to/Oslo' })).toEqual({
    contents: [{ uri: 'greet://to/Oslo', text: 'Hello Ada in Oslo' }],
  });
}

const ORDERS = ['before', 'after'] as const;

describe.each(ORDERS)('handlers registered %s wrapping', (order) => {
  it.each([
    ['in the constructor', { capabilities: CAPABILITIES }],
    ['not given', undefined],
  ])('are served on an McpServer, capabilities %s', async (_name, options) => {
    const server = new McpServer({ name: 'high', version: '1' }, options);
    if (order === 'before') registerHighLevel(server);
    withInputRequiredShim(server);
    if (order === 'after') registerHighLevel(server);
    await expectAllServed(await connectPeer(server, FORMS));
  });

  it.each(['in the constructor', 'registered'])('are served on a low-level Server, capabilities %s', async (where) => {
    const server = new Server(
      { name: 'low', version: '1' },
      where === 'registered' ? {} : { capabilities: CAPABILITIES },
    );
    if (where === 'registered') server.registerCapabilities(CAPABILITIES);
    if (order === 'before') registerLowLevel(server);
    withInputRequiredShim(server);
    if (order === 'after') registerLowLevel(server);
    await expectAllServed(await connectPeer(server, FORMS));
  });
});

describe('handlers registered on the Server of an McpServer', () => {
  it('are served when the McpServer is wrapped', async () => {
    const server = new McpServer({ name: 'high', version: '1' }, { capabilities: {} });
    server.server.registerCapabilities(CAPABILITIES);
    registerLowLevel(server.server);
    withInputRequiredShim(server);
    await expectAllServed(await connectPeer(server, FORMS));
  });

  it('are served when the Server is wrapped, and the McpServer connected', async () => {
    const server = new McpServer({ name: 'high', version: '1' });
    registerHighLevel(server);
    withInputRequiredShim(server.server);
    await expectAllServed(await connectPeer(server, FORMS));
  });
});

describe('a tool registered after connect', () => {
  it('is served', async () => {
    const server = new McpServer({ name: 'high', version: '1' }, { capabilities: CAPABILITIES });
    registerHighLevel(server);
    withInputRequiredShim(server);
    const peer = await connectPeer(server, FORMS);
    server.registerTool('late', {}, (extra) => {
      const { name, ask } = nameOf(extra);
      return ask ?? { content: [{ type: 'text', text: `Late, ${name}` }] };
    });
    expect((await peer.next())['method']).toBe('notifications/tools/list_changed');
    const result = await askedOnce(peer, 'tools/call', { name: 'late', arguments: {} });
    expect(result['content'][0].text).toBe('Late, Ada');
  });
});
