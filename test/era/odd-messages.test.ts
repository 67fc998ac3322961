import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { inputContext, shimTransport, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form } from '../support/asks.ts';
import { type Connectable, connectMemory } from '../support/connect-memory.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer, type Extra, said, toolServer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';
import { createScriptServer } from '../support/script-server.ts';
import { clockSession, play } from '../support/session.ts';

/** Connects `server` over a transport that hands on messages, and nothing beside them. */
async function connectPlain(server: Connectable): Promise<Peer> {
  const { peer, far, close } = await connectMemory(server);
  onTestFinished(close);
  const receive = far.onmessage as (message: unknown) => void;
  far.onmessage = (message) => receive(message);
  return peer;
}

describe('a notification that is no cancellation of the call', () => {
  it.each([
    ['of another method, which names it', { method: 'notifications/other', params: { requestId: 1 } }],
    ['without params', { method: 'notifications/cancelled' }],
    ['of no call', { method: 'notifications/cancelled', params: {} }],
    ['of another call', { method: 'notifications/cancelled', params: { requestId: 2 } }],
  ])('leaves it held: %s', async (_which, notification) => {
    const { peer } = await clockSession({ capabilities: ALL_CAPABILITIES });
    await play(peer, [ask({ who: form() })], 1);
    const leg = await peer.next();
    await peer.send({ jsonrpc: '2.0', ...notification });
    await settle();
    await peer.answer(leg, ADA);
    expect(await peer.next()).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });
});

it('a call is cancelled over a transport that hands on messages alone', async () => {
  const server = createScriptServer({}, { event: () => undefined, run: () => undefined });
  const peer = await connectPlain(server);
  await peer.handshake({ capabilities: ALL_CAPABILITIES });
  await play(peer, [ask({ who: form() })], 1);
  const leg = await peer.next();
  await peer.cancel(1);
  expect(await peer.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: leg['id'] } });
  expect(await peer.rest(0)).toEqual([]);
});

it('a state is minted over a transport that hands on messages alone', async () => {
  const { server } = toolServer(async (extra) => {
    const context = inputContext(extra);
    if (context.round === 0)
      return { content: [], ...ask({ who: form() }, await context.mintRequestState({ step: 1 })) };
    return said(JSON.stringify(context.requestState()));
  });
  const peer = await connectPlain(server);
  await peer.handshake({ capabilities: ALL_CAPABILITIES });
  await peer.callTool('tool');
  await peer.answer(await peer.next(), ADA);
  expect((await peer.next())['result']).toEqual(said('{"step":1}'));
});

it('after the answer to a call its log messages are sent, and its progress is not', async () => {
  const kept: Extra[] = [];
  const { server } = toolServer((extra) => {
    kept.push(extra);
    return said('done');
  });
  server.server.registerCapabilities({ logging: {} });
  const peer = await connectPeer(server);
  await peer.callTool('tool', {}, { _meta: { progressToken: 'p' } });
  await peer.next();
  const log = { method: 'notifications/message', params: { level: 'info', data: 'late' } } as const;
  await kept[0]?.sendNotification({
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 1 },
  });
  await kept[0]?.sendNotification(log);
  expect(await peer.rest(0)).toEqual([{ jsonrpc: '2.0', ...log }]);
});

it.each([
  { jsonrpc: '2.0', id: 9, method: 'ping' },
  { jsonrpc: '2.0', method: 'notifications/progress' },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'unknown', progress: 1 } },
])('a message that belongs to no call is sent as it is: %j', async (message) => {
  let transport: Transport | undefined;
  const server = new McpServer({ name: 'own', version: '1' });
  const { peer, close } = await connectMemory({
    server: server.server,
    connect: (inner) => {
      transport = shimTransport(inner);
      return server.connect(transport);
    },
    close: () => server.close(),
  });
  onTestFinished(close);
  await peer.handshake();
  await transport?.send(message as never);
  expect(await peer.next()).toEqual(message);
});

it('a request of a method of its own keeps what initialize would lose', async () => {
  const params = { capabilities: { elicitation: 'yes' } };
  const server = new McpServer({ name: 'own', version: '1' });
  server.server.fallbackRequestHandler = async (request) => ({ params: request.params });
  const peer = await connectPeer(withInputRequiredShim(server));
  await peer.request('acme/look', params);
  expect((await peer.next())['result']).toEqual({ params });
});

describe('initialize', () => {
  it('that is refused is answered so, and leaves what the first one said', async () => {
    const { peer } = await clockSession({ capabilities: ALL_CAPABILITIES });
    await peer.request('initialize', { capabilities: {} }, 'again');
    expect(await peer.next()).toMatchObject({ id: 'again', error: { code: expect.any(Number) } });
    await play(peer, [ask({ who: form() })], 1);
    await peer.answer(await peer.next(), ADA);
    expect(await peer.next()).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
  });

  it('cannot be cancelled', async () => {
    const server = createScriptServer({}, { event: () => undefined, run: () => undefined });
    const { peer, close } = await connectMemory(server);
    onTestFinished(close);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: ALL_CAPABILITIES,
      clientInfo: { name: 'c', version: '1' },
    };
    await Promise.all([peer.request('initialize', params, 'first'), peer.cancel('first')]);
    expect(await peer.next()).toMatchObject({ id: 'first', result: { protocolVersion: '2025-11-25' } });
  });
});
