import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { FACES, openEndpoint, request, textOf } from './session-endpoint.ts';

describe.each(FACES)('[M3c] the GET stream (through %s)', (face) => {
  it('brings what belongs to no call', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    const get = await streams.get();
    expect(get.status).toBe(200);
    endpoint.handler.notify.toolsChanged();
    expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(get.messages).toHaveLength(1);
  });

  it('brings no question: that comes on the stream of its call', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    const get = await streams.get();
    const id = await peer.callTool('ask');
    await peer.answer(await peer.next(), { action: 'decline' });
    expect(textOf(await peer.next())).toBe('decline');
    expect(streams.post(id).messages).toHaveLength(2);
    expect(get.messages).toEqual([]);
  });

  it('is one for each session: a second gets 409', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open();
    await streams.get();
    const second = await streams.get();
    await second.ended;
    expect(second.status).toBe(409);
    expect(second.messages).toMatchObject([{ jsonrpc: '2.0', error: { code: -32000 } }]);
    const other = await endpoint.open();
    expect((await other.streams.get()).status).toBe(200);
  });

  it('can be opened again after the client has closed it', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open();
    const first = await streams.get();
    first.drop();
    await first.ended;
    await vi.waitFor(async () => expect((await streams.get()).status).toBe(200));
    endpoint.handler.notify.toolsChanged();
    const heard = () => streams.inbox.all.map(({ method }) => method);
    await vi.waitFor(() => expect(heard()).toContain('notifications/tools/list_changed'));
  });
});

describe('the headers of a stream through node', () => {
  // The first frame of SDK v1's own, a comment that keeps the connection open, comes after 15 s.
  const bound = 5_000;

  it('arrive at once on GET, before anything is to be told', async () => {
    const endpoint = await openEndpoint({}, { face: 'node' });
    const { streams } = await endpoint.open();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': streams.sessionId ?? '' };
    const signal = AbortSignal.timeout(bound);
    const sent = httpRequest(endpoint.url, { headers, agent: false, signal }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const [comment] = (await once(response.setEncoding('utf8'), 'data')) as [string];
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.headers['mcp-session-id']).toBe(streams.sessionId);
    expect(comment).toBe(':\n\n');
    response.destroy();
  });

  it('arrive at once on POST, as with the node transport of SDK v1', async () => {
    const endpoint = await openEndpoint({}, { face: 'node' });
    const { streams } = await endpoint.open();
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    const body = request('tools/call', { name: 'wait', arguments: {} });
    const response = await endpoint.send({ body, headers, signal: AbortSignal.timeout(bound) });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
  });
});
