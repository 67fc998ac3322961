import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it, vi } from 'vitest';
import { ASKABLE, FACES, NOTHING, openEndpoint, startWaiting, textOf } from './session-endpoint.ts';

describe.each(FACES)('[M3b] DELETE (through %s)', (face) => {
  it('ends the session: its id is unknown from then on', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    expect(await streams.delete()).toBe(200);
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    expect(endpoint.closed).toBe(1);
    const id = await peer.callTool('echo', { text: 'too late' });
    expect(streams.post(id).status).toBe(404);
    expect(await peer.next()).toMatchObject({ id, error: { code: -32001 } });
    expect(await streams.delete()).toBe(404);
    expect(endpoint.runs).toEqual([]);
  });

  it('ends the streams of the session, and its GET stream', async () => {
    const endpoint = await openEndpoint({}, { face });
    const client = await endpoint.open();
    const get = await client.streams.get();
    const call = await startWaiting(endpoint, client);
    await client.streams.delete();
    await get.ended;
    expect(await call.answered).not.toContain('data:');
    expect(call.signal.aborted).toBe(true);
  });

  it('ends the questions of the session, whose handlers do not run again', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    await peer.callTool('ask');
    await peer.next();
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await streams.delete();
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    await vi.waitFor(() => expect(endpoint.events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'closed' }));
    expect(endpoint.runs).toEqual(['ask']);
  });

  it('leaves other sessions as they are', async () => {
    const endpoint = await openEndpoint({}, { face });
    const [ada, eve] = [await endpoint.open(), await endpoint.open()];
    await ada.peer.callTool('ask');
    const leg = await ada.peer.next();
    await eve.streams.delete();
    await ada.peer.answer(leg, { action: 'accept', content: { name: 'Ada' } });
    expect(textOf(await ada.peer.next())).toBe('accept Ada');
    expect(endpoint.handler.stats().sessions).toBe(1);
  });
});

describe('a server whose author does not let it end', () => {
  it('fails the DELETE with 500 and its id is unknown all the same, which onerror hears of', async () => {
    const factory = (): McpServer => {
      const server = new McpServer({ name: 'clinging', version: '1' });
      server.server.onclose = () => {
        throw new Error('I stay: db://secret');
      };
      return server;
    };
    const endpoint = await openEndpoint({}, { factory });
    const { streams } = await endpoint.open();
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    const response = await endpoint.send({ method: 'DELETE', headers });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(endpoint.errors.map(({ message }) => message).join()).toContain('I stay');
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    expect((await endpoint.send({ method: 'DELETE', headers })).status).toBe(404);
  });
});

describe('a client whose session is gone', () => {
  it('opens a new one with initialize', async () => {
    const endpoint = await openEndpoint();
    const { peer, streams } = await endpoint.open();
    await streams.delete();
    streams.sessionId = undefined;
    await peer.handshake(ASKABLE);
    await peer.callTool('echo', { text: 'back' });
    expect(textOf(await peer.next())).toBe('back');
  });
});
