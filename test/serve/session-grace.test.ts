import { describe, expect, it, vi } from 'vitest';
import { memoryEventStore } from '../support/event-store.ts';
import { settle } from '../support/manual-clock.ts';
import { ADA, ASKABLE, type Client, type Endpoint, FACES, openEndpoint, textOf } from './session-endpoint.ts';

/** A call whose client has gone away from its open question, which the server has noticed. */
async function leaveQuestion(endpoint: Endpoint, hasStore: boolean) {
  const client = await endpoint.open(ASKABLE);
  client.streams.revision = '2025-11-25';
  const id = await client.peer.callTool('ask');
  const leg = await client.peer.next();
  const stream = client.streams.post(id);
  // The hold's own timer, and from then on that of the grace.
  const before = endpoint.clock.pending;
  stream.drop();
  await stream.ended;
  if (hasStore) await vi.waitFor(() => expect(endpoint.clock.pending).toBe(before + 1));
  return { ...client, id, leg, stream };
}

const openWithStore = (face: 'fetch' | 'node', disconnectGrace?: number): Promise<Endpoint> => {
  const sessions = { eventStore: memoryEventStore(), ...(disconnectGrace === undefined ? {} : { disconnectGrace }) };
  return openEndpoint({ sessions }, { face });
};

const answered = async (client: Client, leg: object): Promise<string> => {
  await client.peer.answer(leg, ADA);
  return textOf(await client.peer.next());
};

describe.each(FACES)('[M3h] a question whose client went away, without an event store (through %s)', (face) => {
  it('ends in under a second, and its hold is released', async () => {
    const endpoint = await openEndpoint({}, { face });
    await leaveQuestion(endpoint, false);
    await vi.waitFor(() => expect(endpoint.handler.stats().holds.held).toBe(0), 900);
    expect(endpoint.events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'no-channel' });
    expect(endpoint.runs).toEqual(['ask']);
  });
});

describe.each(FACES)('a question whose client went away, with an event store (through %s)', (face) => {
  it('stays open for half a minute, and then ends', async () => {
    const endpoint = await openWithStore(face);
    await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(29_999);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await endpoint.clock.advance(1);
    expect(endpoint.handler.stats().holds.held).toBe(0);
    expect(endpoint.events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'no-channel' });
    expect(endpoint.runs).toEqual(['ask']);
  });

  it('stays open for sessions.disconnectGrace, and then ends', async () => {
    const endpoint = await openWithStore(face, 500);
    await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(499);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await endpoint.clock.advance(1);
    expect(endpoint.handler.stats().holds.held).toBe(0);
  });

  it('goes on when its client comes back within the grace, which is over then', async () => {
    const endpoint = await openWithStore(face);
    const { peer, streams, leg, stream } = await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(29_999);
    const resumed = await streams.get(stream.lastEventId);
    await endpoint.clock.advance(60_000);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    expect(await answered({ peer, streams }, leg)).toBe('accept Ada');
    expect(resumed.messages).toHaveLength(1);
  });

  it('has a grace of its own each time that its client goes away', async () => {
    const endpoint = await openWithStore(face);
    const { streams, stream } = await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(20_000);
    const resumed = await streams.get(stream.lastEventId);
    await endpoint.clock.advance(20_000);
    const before = endpoint.clock.pending;
    resumed.drop();
    await resumed.ended;
    await vi.waitFor(() => expect(endpoint.clock.pending).toBe(before + 1));
    await endpoint.clock.advance(29_999);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await endpoint.clock.advance(1);
    expect(endpoint.handler.stats().holds.held).toBe(0);
  });

  it('can be answered within the grace by a client that does not come back to the stream', async () => {
    const endpoint = await openWithStore(face);
    const { peer, leg } = await leaveQuestion(endpoint, true);
    expect(await peer.answer(leg, ADA)).toBe(202);
    await vi.waitFor(() => expect(endpoint.handler.stats().holds.held).toBe(0));
    expect(endpoint.runs).toEqual(['ask', 'ask']);
    expect(endpoint.events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'answered' });
  });

  it('is ended alone: those of other sessions stay open', async () => {
    const endpoint = await openWithStore(face, 1_000);
    const ada = await endpoint.open();
    ada.streams.revision = '2025-11-25';
    await ada.peer.callTool('ask');
    const leg = await ada.peer.next();
    await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(1_000);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    expect(await answered(ada, leg)).toBe('accept Ada');
  });
});

describe('a client that answers an ended question', () => {
  it('finds the call over', async () => {
    const endpoint = await openWithStore('fetch', 1_000);
    const { peer, leg } = await leaveQuestion(endpoint, true);
    await endpoint.clock.advance(1_000);
    expect(await peer.answer(leg, ADA)).toBe(202);
    await settle();
    expect(endpoint.events.at(-1)).toEqual({ type: 'late-answer' });
    expect(endpoint.runs).toEqual(['ask']);
  });
});
