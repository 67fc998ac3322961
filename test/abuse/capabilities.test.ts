import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectMemory, type MemorySession } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';

const KINDS = ['form', 'url', 'sampling', 'sampling.tools', 'roots'] as const;

/** Opens a connection with `capabilities`; the tool tells what the shim and SDK v1 make of them. */
async function open(capabilities: unknown, sdk: 'newest' | 'oldest') {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'capabilities', version: '1' });
  server.registerTool('tell', {}, async (extra) => {
    const context = inputContext(extra);
    const told = { shim: KINDS.filter((kind) => context.canAsk(kind)), v1: server.server.getClientCapabilities() };
    return { content: [{ type: 'text', text: JSON.stringify(told) }] };
  });
  const session = await connectMemory(withInputRequiredShim(server), sdk);
  const opening = await session.peer.handshake({ revision: '2025-11-25', capabilities });
  return { session, opening };
}

const DEEP = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as Json;

/** What a client declared, and what is made of it: the kinds that can be asked, and what SDK v1 is shown. */
const CASES: readonly (readonly [string, unknown, readonly string[], unknown])[] = [
  ['nothing', {}, [], {}],
  ['null', null, [], {}],
  ['an array', [], [], {}],
  ['a string', 'elicitation', [], {}],
  ['true', true, [], {}],
  ['elicitation: true', { elicitation: true }, [], {}],
  ['elicitation: null', { elicitation: null }, [], {}],
  ['elicitation: []', { elicitation: [] }, [], {}],
  ['elicitation: "form"', { elicitation: 'form' }, [], {}],
  ['elicitation: {}', { elicitation: {} }, ['form'], { elicitation: { form: {} } }],
  ['elicitation.form: true', { elicitation: { form: true } }, [], {}],
  ['elicitation.form: null', { elicitation: { form: null } }, [], {}],
  ['elicitation.form: []', { elicitation: { form: [] } }, [], {}],
  [
    'elicitation.form: false beside url',
    { elicitation: { form: false, url: {} } },
    ['url'],
    { elicitation: { url: {} } },
  ],
  ['elicitation.url: {}', { elicitation: { url: {} } }, ['url'], { elicitation: { url: {} } }],
  ['elicitation.url: true', { elicitation: { url: true } }, [], {}],
  ['elicitation.unknown: {}', { elicitation: { voice: {} } }, [], { elicitation: { voice: {} } }],
  ['elicitation.unknown: 1', { elicitation: { voice: 1 } }, [], {}],
  [
    'elicitation.form with a member of a wrong type',
    { elicitation: { form: { applyDefaults: 'yes' } } },
    ['form'],
    { elicitation: { form: {} } },
  ],
  ['sampling: 1', { sampling: 1 }, [], {}],
  ['sampling: {}', { sampling: {} }, ['sampling'], { sampling: {} }],
  ['sampling.tools: true', { sampling: { tools: true } }, ['sampling'], { sampling: {} }],
  ['sampling.tools: {}', { sampling: { tools: {} } }, ['sampling', 'sampling.tools'], { sampling: { tools: {} } }],
  ['roots: "yes"', { roots: 'yes' }, [], {}],
  ['roots.listChanged: "yes"', { roots: { listChanged: 'yes' } }, ['roots'], { roots: {} }],
  ['tasks: true', { tasks: true }, [], {}],
  [
    'tasks with members of wrong types',
    { tasks: { list: 1, requests: { sampling: true } } },
    [],
    { tasks: { requests: {} } },
  ],
  ['experimental: 1', { experimental: 1 }, [], {}],
  ['experimental members that are no objects', { experimental: { a: 1, b: {} } }, [], { experimental: { b: {} } }],
  ['unknown members that are no objects', { flying: true, swimming: 7 }, [], {}],
  ['toString, which every object inherits', { toString: true, constructor: {} }, [], {}],
  ['an own __proto__ that declares', JSON.parse('{"__proto__": {"elicitation": {}}}'), [], {}],
  ['an own __proto__ inside elicitation', JSON.parse('{"elicitation": {"__proto__": {"form": {}}}}'), [], undefined],
  ['something very deep', { elicitation: {}, experimental: { deep: DEEP } }, ['form'], undefined],
];

describe.each(['newest', 'oldest'] as const)('[H7b] [F31] a capability declaration (%s SDK v1)', (sdk) => {
  let session: MemorySession;
  afterEach(() => session.close());

  it.each(CASES)('opens the connection, and declares objects only: %s', async (_, capabilities, shim, v1) => {
    const opened = await open(capabilities, sdk);
    session = opened.session;
    expect(opened.opening['result']?.protocolVersion).toBe('2025-11-25');
    await session.peer.callTool('tell');
    const told = JSON.parse((await session.peer.next())['result'].content[0].text) as Json;
    expect(told['shim']).toEqual(shim);
    if (v1 !== undefined) expect(told['v1']).toEqual(v1);
  });

  it('counts only where the handshake was accepted: a later one that is refused changes nothing', async () => {
    const opened = await open({ elicitation: {} }, sdk);
    session = opened.session;
    const { peer } = session;
    const params = { protocolVersion: 7, capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' } };
    await peer.request('initialize', params);
    expect(await peer.next()).toMatchObject({ error: { code: -32603 } });
    await peer.callTool('tell');
    expect(JSON.parse((await peer.next())['result'].content[0].text)).toMatchObject({ shim: ['form'] });
  });

  it('is required: without one the handshake is refused, as SDK v1 refuses it', async () => {
    const { McpServer } = sdkNamed(sdk);
    session = await connectMemory(withInputRequiredShim(new McpServer({ name: 'x', version: '1' })), sdk);
    const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'c', version: '1' } };
    await session.peer.request('initialize', params, 1);
    expect(await session.peer.next()).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});

describe('[H7b] a capability declaration over HTTP', () => {
  const initialize = (capabilities: unknown): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
    });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const options = { sessionIdGenerator: () => 'the-session' };
  const createServer = () => withInputRequiredShim(new McpServer({ name: 'x', version: '1' }));

  it.each([{ sampling: true }, { elicitation: { form: 1 } }])('opens a session over node: %j', async (capabilities) => {
    const transport = new StreamableHTTPServerTransport(options);
    await createServer().connect(transport);
    const http = createHttpServer((request, response) => void transport.handleRequest(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await transport.close();
      http.close();
    });
    const { port } = http.address() as AddressInfo;
    const body = initialize(capabilities);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, 'the-session']);
    expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
  });

  it.each([{ sampling: true }, { elicitation: { form: 1 } }])('opens one over fetch: %j', async (capabilities) => {
    const transport = new WebStandardStreamableHTTPServerTransport(options);
    await createServer().connect(transport);
    onTestFinished(() => transport.close());
    const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body: initialize(capabilities) });
    const response = await transport.handleRequest(request);
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, 'the-session']);
    expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
  });
});
