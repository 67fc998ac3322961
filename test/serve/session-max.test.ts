import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { ADA, FACES, initialize, OPENING, openEndpoint, request, textOf } from './session-endpoint.ts';

describe.each(FACES)('[M3e] as many sessions as sessions.max allows (through %s)', (face) => {
  it('[F15] have the next initialize get 503, in JSON-RPC, with its id', async () => {
    const endpoint = await openEndpoint({ sessions: { max: 2 } }, { face });
    await endpoint.open();
    await endpoint.open();
    const response = await endpoint.send({ body: request('initialize', OPENING, 'third') });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 'third',
      error: { code: -32000, message: 'This server has as many sessions open as it allows. Try again later' },
    });
    expect(endpoint.servers).toHaveLength(2);
    expect(endpoint.handler.stats().sessions).toBe(2);
  });

  it('go on as they are', async () => {
    const endpoint = await openEndpoint({ sessions: { max: 1 } }, { face });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    const leg = await peer.next();
    expect((await endpoint.send({ body: initialize() })).status).toBe(503);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });

  it('have room for another one after a DELETE', async () => {
    const endpoint = await openEndpoint({ sessions: { max: 1 } }, { face });
    const { streams } = await endpoint.open();
    expect((await endpoint.send({ body: initialize() })).status).toBe(503);
    await streams.delete();
    const response = await endpoint.send({ body: initialize() });
    await response.text();
    expect(response.status).toBe(200);
  });
});

describe('sessions that open at the same time', () => {
  it('are no more than sessions.max', async () => {
    const endpoint = await openEndpoint({ sessions: { max: 3 } });
    const responses = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => endpoint.send({ body: initialize(id) })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503, 503]);
    for (const response of responses) await response.text();
    expect(endpoint.handler.stats().sessions).toBe(3);
  });

  it('give up their place when the factory fails', async () => {
    let isDown = true;
    const factory = (): McpServer => {
      if (isDown) throw new Error('no database');
      return new McpServer({ name: 'up', version: '1' });
    };
    const endpoint = await openEndpoint({ sessions: { max: 1 } }, { factory });
    expect((await endpoint.send({ body: initialize() })).status).toBe(500);
    isDown = false;
    const response = await endpoint.send({ body: initialize() });
    await response.text();
    expect(response.status).toBe(200);
  });
});

describe('an initialize that is refused', () => {
  it('takes no place', async () => {
    const endpoint = await openEndpoint({ sessions: { max: 1 } });
    for (let count = 0; count < 3; count += 1) {
      expect((await endpoint.send({ body: request('initialize') })).status).toBe(400);
    }
    await endpoint.open();
    expect(endpoint.handler.stats().sessions).toBe(1);
  });
});
