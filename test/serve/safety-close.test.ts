import { fileURLToPath } from 'node:url';
import type { ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spawnServer } from '../support/spawn-server.ts';
import { readFrames } from '../support/sse.ts';
import {
  ADA,
  echo,
  FACES,
  initialize,
  modern,
  modernEcho,
  NOTHING,
  openEndpoint,
  startWaiting,
  textOf,
} from './session-endpoint.ts';
import { createSessionServer, newLog } from './session-server.ts';

const CLOSING = fileURLToPath(new URL('safety-closing-server.ts', import.meta.url));
const LISTEN = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 9 });

describe.each(FACES)('[M5d] stats (through %s)', (face) => {
  it('tell sessions, modern requests in flight, and holds', async () => {
    const endpoint = await openEndpoint({}, { face });
    const stats = () => endpoint.handler.stats();
    expect(stats()).toMatchObject(NOTHING);
    const { peer } = await endpoint.open();
    expect(stats()).toMatchObject({ ...NOTHING, sessions: 1 });
    await peer.callTool('ask');
    const leg = await peer.next();
    expect(stats()).toMatchObject({ sessions: 1, modern: { inFlight: 0 }, holds: { held: 1 } });
    const pending = endpoint.send(modern('tools/call', { name: 'wait', arguments: {} }));
    await vi.waitFor(() => expect(endpoint.waiting).toHaveLength(1));
    expect(stats()).toMatchObject({ sessions: 1, modern: { inFlight: 1 }, holds: { held: 1 } });
    endpoint.waiting[0]?.finish();
    await (await pending).text();
    await peer.answer(leg, ADA);
    await peer.next();
    expect(stats()).toMatchObject({ ...NOTHING, sessions: 1 });
  });

  it('count every call that waits for a person, and no modern ask', async () => {
    const endpoint = await openEndpoint({}, { face });
    const clients = [await endpoint.open(), await endpoint.open()];
    for (const { peer } of clients) for (let call = 0; call < 2; call += 1) await peer.callTool('ask');
    for (const { peer } of clients) for (let call = 0; call < 2; call += 1) await peer.next();
    expect(endpoint.handler.stats().holds.held).toBe(4);
    const ask = modern('tools/call', { name: 'ask', arguments: {} }, { capabilities: { elicitation: {} } });
    await (await endpoint.send(ask)).text();
    expect(endpoint.handler.stats()).toMatchObject({ sessions: 2, modern: { inFlight: 0 }, holds: { held: 4 } });
  });
});

describe.each(FACES)('close (through %s)', (face) => {
  it('ends sessions, with their calls, questions and streams', async () => {
    const endpoint = await openEndpoint({}, { face });
    const client = await endpoint.open();
    const call = await startWaiting(endpoint, client);
    const asking = await endpoint.open();
    const get = await asking.streams.get();
    const id = await asking.peer.callTool('ask');
    await asking.peer.next();
    await endpoint.handler.close();
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    expect(await call.answered).not.toContain('data:');
    await get.ended;
    await asking.streams.post(id).ended;
    expect(call.signal.aborted).toBe(true);
    expect(endpoint.closed).toBe(2);
    expect(endpoint.runs).toEqual(['wait', 'ask']);
  });

  it('ends modern requests in flight: their handlers are aborted, and their clients are not left waiting', async () => {
    const endpoint = await openEndpoint({}, { face });
    const pending = endpoint.send(modern('tools/call', { name: 'wait', arguments: {} })).then(
      (response) => response.text(),
      (error: Error) => error.name,
    );
    await vi.waitFor(() => expect(endpoint.waiting).toHaveLength(1));
    await endpoint.handler.close();
    expect(endpoint.waiting[0]?.signal.aborted).toBe(true);
    expect(await pending).not.toContain('waited');
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    expect(endpoint.closed).toBe(1);
  });

  it('ends what modern clients listen to', async () => {
    const endpoint = await openEndpoint({}, { face });
    const frames = readFrames(await endpoint.send(LISTEN));
    expect(await frames.next()).toMatchObject({ message: { method: 'notifications/subscriptions/acknowledged' } });
    await endpoint.handler.close();
    let last = await frames.next();
    for (let frame = last; frame !== undefined; frame = await frames.next()) last = frame;
    expect(last === undefined || 'comment' in last || last.message['id'] === 9).toBe(true);
    expect(endpoint.closed).toBe(endpoint.servers.length);
  });

  it('[F15] has whatever comes later get 503, in JSON-RPC with its id', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open();
    await endpoint.handler.close();
    const before = endpoint.servers.length;
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    const sent = [{ body: initialize(1) }, { body: echo('hi', 1), headers }, modernEcho('hi', 1), { ...LISTEN }];
    for (const request of sent) {
      const response = await endpoint.send(request);
      expect(response.status).toBe(503);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { id } = request.body as { id: number };
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'This server is closed' },
      });
    }
    for (const method of ['GET', 'DELETE']) {
      const response = await endpoint.send({ method, headers });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null });
    }
    expect(endpoint.servers).toHaveLength(before);
  });

  it('can be called twice, also at once, and before anything came', async () => {
    const endpoint = await openEndpoint({}, { face });
    await Promise.all([endpoint.handler.close(), endpoint.handler.close()]);
    await endpoint.handler.close();
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
  });

  it('lets no session open that was about to', async () => {
    const endpoint = await openEndpoint({}, { face });
    const opening = [1, 2, 3].map((id) => endpoint.send({ body: initialize(id) }).then((response) => response.text()));
    await endpoint.handler.close();
    await Promise.all(opening);
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
  });
});

describe('close while a factory is at work', () => {
  it.each([
    ['for a session', { body: initialize(3) }, 1],
    // Never connected, so that it has no connection whose end it could hear of.
    ['for a modern request', modernEcho('hi', 3), 0],
  ])('leaves nothing open of what it makes later: %s', async (_name, sent, closed) => {
    const log = newLog();
    let make: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      make = resolve;
    });
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const factory: ServerFactory = async (context) => {
      begin();
      await isAsked;
      return createSessionServer(log, context);
    };
    const { handler, send } = await openEndpoint({}, { factory });
    const answered = send(sent).then((response) => response.text());
    await begun;
    const closing = handler.close();
    make();
    await closing;
    await answered;
    await vi.waitFor(() => expect([log.servers.length, log.closed]).toEqual([1, closed]));
    expect(handler.stats()).toMatchObject(NOTHING);
    expect(log.runs).toEqual([]);
  });
});

describe('a process whose endpoint is closed', () => {
  it('exits by itself, with sessions, questions and streams of both eras open until then', async () => {
    const { child, peer, exited } = spawnServer(CLOSING);
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await peer.next()).toMatchObject({ sessions: 2, modern: { inFlight: 1 }, holds: { held: 1 } });
    expect(await peer.next()).toMatchObject(NOTHING);
    expect(await exited).toBe(0);
  });
});

describe('an answer to a session of an endpoint that goes on', () => {
  it('is as ever after another endpoint of the process was closed', async () => {
    const [first, second] = [await openEndpoint(), await openEndpoint()];
    const { peer } = await second.open();
    await peer.callTool('ask');
    const leg = await peer.next();
    await first.handler.close();
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });
});
