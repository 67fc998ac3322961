import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { FACES, initialize, modern, modernEcho, openEndpoint, type SentRequest } from './session-endpoint.ts';

const BAD: readonly (readonly [string, ServerFactory, RegExp])[] = [
  [
    'throws',
    () => {
      throw new Error('db://user:secret@host');
    },
    /secret/,
  ],
  ['rejects', () => Promise.reject(new Error('db://user:secret@host')), /secret/],
  ['throws what is no error', () => Promise.reject('secret'), /secret/],
  ['returns nothing', (() => undefined) as never, /McpServer or a Server/],
  ['returns null', (() => null) as never, /McpServer or a Server/],
  ['returns something else', (() => ({ server: {} })) as never, /McpServer or a Server/],
  ['returns a server that is connected', connected, /connected/],
];

async function connected(): Promise<McpServer> {
  const server = new McpServer({ name: 'connected', version: '1' });
  await server.connect(InMemoryTransport.createLinkedPair()[0]);
  return server;
}

const SENT: readonly (readonly [string, SentRequest])[] = [
  ['initialize', { body: initialize(3) }],
  ['a modern request', modernEcho('hi', 3)],
  ['server/discover', modern('server/discover', {}, { id: 3 })],
  ['subscriptions/listen', modern('subscriptions/listen', { notifications: {} }, { id: 3 })],
];

describe.each(FACES)('[M5g] a factory (through %s)', (face) => {
  describe.each(BAD)('that %s', (_name, factory, reason) => {
    it.each(SENT)('makes %s fail with 500, without the reason, which onerror hears', async (_sent, sent) => {
      const endpoint = await openEndpoint({}, { face, factory });
      const response = await endpoint.send(sent);
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe('application/json');
      const text = await response.text();
      expect(text).not.toMatch(reason);
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 3, error: { code: -32603 } });
      expect(endpoint.errors.map(({ message }) => message).join()).toMatch(reason);
      expect(endpoint.handler.stats().sessions).toBe(0);
    });
  });
});

describe('a factory', () => {
  it('may return a promise, and a low-level Server', async () => {
    const factory = async (): Promise<Server> => new Server({ name: 'low', version: '1' }, { capabilities: {} });
    const endpoint = await openEndpoint({}, { factory });
    const { result } = (await (await endpoint.send(modern('server/discover'))).json()) as Json;
    expect(result._meta['io.modelcontextprotocol/serverInfo']).toEqual({ name: 'low', version: '1' });
    const answer = await endpoint.connect().peer.handshake();
    expect(answer['result'].serverInfo).toEqual({ name: 'low', version: '1' });
  });

  it('is asked for a server of each session and each modern request, with the era', async () => {
    const endpoint = await openEndpoint();
    const { peer } = await endpoint.open();
    await peer.callTool('echo', { text: 'hi' });
    await peer.next();
    for (let count = 0; count < 2; count += 1)
      await (await endpoint.send({ ...modernEcho(), caller: 'app/ada' })).text();
    expect(endpoint.contexts.map(({ era }) => era)).toEqual(['handshake', 'modern', 'modern']);
    expect(Object.keys(endpoint.contexts[0] ?? {}).sort()).toEqual(['era', 'requestInfo']);
    expect(endpoint.contexts[1]?.authInfo?.clientId).toBe('app');
    expect(endpoint.contexts[1]?.requestInfo?.headers.get('mcp-method')).toBe('tools/call');
  });

  it('that fails once does not harm those who come later', async () => {
    let count = 0;
    const factory = (): McpServer => {
      count += 1;
      if (count === 1) throw new Error('no database');
      return new McpServer({ name: 'up', version: '1' });
    };
    const endpoint = await openEndpoint({}, { factory });
    expect((await endpoint.send({ body: initialize() })).status).toBe(500);
    expect((await endpoint.connect().peer.handshake())['result'].serverInfo.name).toBe('up');
  });
});

describe('an onerror that throws', () => {
  it('changes nothing', async () => {
    const handler = createMcpHandler(
      () => {
        throw new Error('no database');
      },
      {
        onerror: () => {
          throw new Error('no log');
        },
      },
    );
    const body = JSON.stringify(initialize(3));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ id: 3, error: { code: -32603 } });
    await handler.close();
  });
});
