import { describe, expect, it } from 'vitest';
import { echo, FACES, initialize, openEndpoint, request, textOf } from './session-endpoint.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe.each(FACES)('[M3a] initialize (through %s)', (face) => {
  it('opens a session whose id is a random UUID', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open();
    expect(streams.sessionId).toMatch(UUID);
    expect(endpoint.handler.stats().sessions).toBe(1);
  });

  it('opens another one each time', async () => {
    const endpoint = await openEndpoint({}, { face });
    const ids = new Set<string | undefined>();
    for (let count = 0; count < 5; count += 1) ids.add((await endpoint.open()).streams.sessionId);
    expect(ids.size).toBe(5);
    expect(endpoint.handler.stats().sessions).toBe(5);
    expect(endpoint.servers).toHaveLength(5);
  });

  it('opens another one where a session header comes with it: of nobody', async () => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send({ body: initialize(), headers: { 'mcp-session-id': 'nobody' } });
    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toMatch(UUID);
  });

  it('opens another one where a session header comes with it: of a session that is open, and stays so', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    const id = streams.sessionId ?? '';
    const response = await endpoint.send({ body: initialize(), headers: { 'mcp-session-id': id } });
    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toMatch(UUID);
    expect(response.headers.get('mcp-session-id')).not.toBe(id);
    expect(endpoint.handler.stats().sessions).toBe(2);
    await peer.callTool('echo', { text: 'still here' });
    expect(textOf(await peer.next())).toBe('still here');
  });

  it('tells the factory of the era and of the request', async () => {
    const endpoint = await openEndpoint({}, { face });
    await endpoint.open({}, 'app/ada');
    const [context] = endpoint.contexts;
    expect(context?.era).toBe('handshake');
    expect(context?.authInfo).toMatchObject({ clientId: 'app', extra: { sub: 'ada' } });
    expect(context?.requestInfo?.method).toBe('POST');
    expect(endpoint.contexts).toHaveLength(1);
  });
});

describe('a request of a session', () => {
  it('goes to the server of that session', async () => {
    const endpoint = await openEndpoint();
    const [ada, eve] = [await endpoint.open(), await endpoint.open()];
    await ada.peer.callTool('echo', { text: 'for Ada' });
    await eve.peer.callTool('echo', { text: 'for Eve' });
    expect(textOf(await ada.peer.next())).toBe('for Ada');
    expect(textOf(await eve.peer.next())).toBe('for Eve');
    expect(endpoint.servers).toHaveLength(2);
  });

  it('gets 202 without a body when it is a notification', async () => {
    const endpoint = await openEndpoint();
    const { streams } = await endpoint.open();
    const response = await endpoint.send({
      body: { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      headers: { 'mcp-session-id': streams.sessionId ?? '' },
    });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('is 400 without a session id, and no server is made', async () => {
    const endpoint = await openEndpoint();
    const response = await endpoint.send({ body: echo() });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32000, message: 'Bad Request: Mcp-Session-Id header is required. Send initialize first' },
    });
    expect(endpoint.servers).toEqual([]);
  });

  it.each(['POST', 'GET', 'DELETE'])('is 404 with the id of a session nobody has: %s', async (method) => {
    const endpoint = await openEndpoint();
    await endpoint.open();
    const body = method === 'POST' ? echo() : undefined;
    const response = await endpoint.send({ method, body, headers: { 'mcp-session-id': 'nobody' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: 'Session not found' } });
    expect(endpoint.handler.stats().sessions).toBe(1);
  });

  it.each(['GET', 'DELETE'])('is 400 without a session id: %s', async (method) => {
    const endpoint = await openEndpoint();
    const response = await endpoint.send({ method });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
  });
});

describe('an initialize that is refused', () => {
  it.each([
    ['without params', request('initialize')],
    ['of a client that has no name', request('initialize', { protocolVersion: '2025-11-25', capabilities: {} })],
    ['in a batch with a call', [initialize(), echo()]],
    ['twice in a batch', [initialize(0), initialize(1)]],
  ])('leaves no session and no server behind: %s', async (_name, body) => {
    const endpoint = await openEndpoint();
    const response = await endpoint.send({ body });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} });
    expect(endpoint.handler.stats().sessions).toBe(0);
    expect(endpoint.closed).toBe(endpoint.servers.length);
  });

  it('leaves none behind when its Accept is wrong', async () => {
    const endpoint = await openEndpoint();
    const response = await endpoint.send({ body: initialize(), headers: { accept: 'application/json' } });
    expect(response.status).toBe(406);
    expect(endpoint.handler.stats().sessions).toBe(0);
    expect(endpoint.closed).toBe(endpoint.servers.length);
  });
});
