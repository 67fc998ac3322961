import type { ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it, vi } from 'vitest';
import { memoryEventStore } from '../support/event-store.ts';
import { settle } from '../support/manual-clock.ts';
import { ADA, type Client, FACES, NOTHING, openEndpoint, startWaiting, textOf } from './session-endpoint.ts';
import { createSessionServer, newLog } from './session-server.ts';

const HALF_AN_HOUR = 1_800_000;

describe('[M3d] a session without a call or a stream', () => {
  it('is ended after half an hour', async () => {
    const endpoint = await openEndpoint();
    const { peer, streams } = await endpoint.open();
    await settle();
    await endpoint.clock.advance(HALF_AN_HOUR - 1);
    expect(endpoint.handler.stats().sessions).toBe(1);
    await endpoint.clock.advance(1);
    expect(endpoint.handler.stats()).toMatchObject(NOTHING);
    expect(endpoint.closed).toBe(1);
    const id = await peer.callTool('echo', { text: 'too late' });
    expect(streams.post(id).status).toBe(404);
  });

  it('is ended after sessions.idleTimeout', async () => {
    const endpoint = await openEndpoint({ sessions: { idleTimeout: 1_000 } });
    await endpoint.open();
    await settle();
    await endpoint.clock.advance(999);
    expect(endpoint.handler.stats().sessions).toBe(1);
    await endpoint.clock.advance(1);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('has its time from the last request on', async () => {
    const endpoint = await openEndpoint({ sessions: { idleTimeout: 1_000 } });
    const { peer } = await endpoint.open();
    for (const text of ['one', 'two', 'three']) {
      await settle();
      await endpoint.clock.advance(999);
      await peer.callTool('echo', { text });
      expect(textOf(await peer.next())).toBe(text);
    }
    await settle();
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('is ended alone', async () => {
    const endpoint = await openEndpoint({ sessions: { idleTimeout: 1_000 } });
    await endpoint.open();
    await settle();
    await endpoint.clock.advance(600);
    const second = await endpoint.open();
    await settle();
    await endpoint.clock.advance(600);
    expect(endpoint.handler.stats().sessions).toBe(1);
    await second.peer.callTool('echo', { text: 'still here' });
    expect(textOf(await second.peer.next())).toBe('still here');
  });
});

describe('a session that is ended for idleness, whose server takes a while to close', () => {
  it('does not exist for a client that calls meanwhile', async () => {
    const log = newLog();
    const factory: ServerFactory = (context) => {
      const server = createSessionServer(log, context);
      server.close = () => new Promise(() => undefined);
      return server;
    };
    const endpoint = await openEndpoint({ sessions: { idleTimeout: 1_000 } }, { factory });
    const { peer, streams } = await endpoint.open();
    await settle();
    await endpoint.clock.advance(1_000);
    const id = await peer.callTool('echo', { text: 'too late' });
    expect(streams.post(id).status).toBe(404);
    expect(endpoint.handler.stats().sessions).toBe(0);
    await endpoint.clock.advance(5_000);
  });
});

describe.each(FACES)('a session is not idle (through %s)', (face) => {
  const sessions = { idleTimeout: 1_000 };

  it('while a call is in flight, and is from its answer on', async () => {
    const endpoint = await openEndpoint({ sessions }, { face });
    const client = await endpoint.open();
    const call = await startWaiting(endpoint, client);
    await sayAnother(client);
    await endpoint.clock.advance(5_000);
    expect(endpoint.handler.stats().sessions).toBe(1);
    call.finish();
    expect(await call.answered).toContain('"text":"waited"');
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('while a question is open', async () => {
    const endpoint = await openEndpoint({ sessions }, { face });
    const client = await endpoint.open();
    const { peer } = client;
    await peer.callTool('ask');
    const leg = await peer.next();
    await sayAnother(client);
    await endpoint.clock.advance(5_000);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });

  it('while a stream is open, and is from its end on', async () => {
    const endpoint = await openEndpoint({ sessions }, { face });
    const client = await endpoint.open();
    const get = await client.streams.get();
    await sayAnother(client);
    await endpoint.clock.advance(5_000);
    expect(endpoint.handler.stats().sessions).toBe(1);
    get.drop();
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('while a call runs whose client went away', async () => {
    const endpoint = await openEndpoint({ sessions }, { face });
    const call = await startWaiting(endpoint, await endpoint.open());
    call.drop();
    await call.answered;
    await endpoint.clock.advance(5_000);
    expect(endpoint.handler.stats().sessions).toBe(1);
    call.finish();
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });
});

describe('a session is idle again', () => {
  const sessions = { idleTimeout: 1_000 };

  it('after its client went away from an open question', async () => {
    const endpoint = await openEndpoint({ sessions });
    const { peer, streams } = await endpoint.open();
    const id = await peer.callTool('ask');
    await peer.next();
    streams.post(id).drop();
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('after its client went away from an open question, and the grace is over', async () => {
    const endpoint = await openEndpoint({ sessions: { ...sessions, eventStore: memoryEventStore() } });
    const { peer, streams } = await endpoint.open();
    streams.revision = '2025-11-25';
    const id = await peer.callTool('ask');
    await peer.next();
    streams.post(id).drop();
    await vi.waitFor(() => expect(endpoint.clock.pending).toBe(2));
    await endpoint.clock.advance(30_000);
    expect(endpoint.handler.stats()).toMatchObject({ ...NOTHING, sessions: 1 });
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('after a call was cancelled, which is not answered, and its stream closed', async () => {
    const endpoint = await openEndpoint({ sessions });
    const call = await startWaiting(endpoint, await endpoint.open());
    await call.cancel();
    call.drop();
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('after a call with a question was cancelled, and its stream closed', async () => {
    const endpoint = await openEndpoint({ sessions });
    const { peer, streams } = await endpoint.open();
    const id = await peer.callTool('ask');
    await peer.next();
    await peer.cancel(id);
    expect(await peer.next()).toMatchObject({ method: 'notifications/cancelled' });
    streams.post(id).drop();
    await untilIdle(endpoint);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });
});

/** A call that begins and ends meanwhile. */
async function sayAnother({ peer }: Client): Promise<void> {
  await peer.callTool('echo', { text: 'another' });
  expect(textOf(await peer.next())).toBe('another');
  await settle();
}

/** The one timer there is when nothing goes on is that of the one session. */
const untilIdle = (endpoint: { clock: { pending: number } }): Promise<void> =>
  vi.waitFor(() => expect(endpoint.clock.pending).toBe(1));
