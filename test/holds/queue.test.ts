import { createHolds, inputContext, inputRequired } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { openEndpoint } from '../serve/session-endpoint.ts';
import { ADA, ask, form, outcomeOf, told } from '../support/asks.ts';
import { memoryEventStore } from '../support/event-store.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { HTTP_TRANSPORTS, openHttpSession } from '../support/open-http.ts';
import { connectPeer, toolServer } from '../support/own-server.ts';
import { expectSilence, play } from '../support/session.ts';
import { ASK, CAPABLE, expectEmpty, holdsOnClock, openHeld, openHeldOnClock, TRANSPORTS } from './open-held.ts';

describe.each(TRANSPORTS)('a call that waits for a place (%s)', (transport) => {
  it('asks once it has one, and its answer is its own', async () => {
    const holds = createHolds({ max: 1, queue: 1 });
    expectEmpty(holds);
    const { peer } = await openHeld(transport, holds);
    const first = await play(peer, [ask({ who: form('first') })]);
    const leg = await peer.next();
    const second = await play(peer, [ask({ who: form('second') })]);
    await expectSilence(peer);
    expect(holds.stats()).toMatchObject({ held: 1, queued: 1 });
    await peer.answer(leg, ADA);
    const messages = [await peer.next(), await peer.next()];
    const next = messages.find((message) => 'method' in message);
    const answer = messages.find((message) => message['id'] === first);
    expect(told(answer ?? {})['responses']).toEqual({ who: ADA });
    expect(next).toMatchObject({ params: { message: 'second' } });
    await peer.answer(next ?? {}, ADA);
    expect((await peer.next())['id']).toBe(second);
  });

  it('ends as busy when it has waited for queueTimeout', async () => {
    const { holds, clock } = holdsOnClock({ max: 1, queue: 1, queueTimeout: 2_000 });
    const { peer } = await openHeld(transport, holds);
    await play(peer, ASK);
    await peer.next();
    const waiting = await play(peer, ASK);
    await vi.waitFor(() => expect(holds.stats().queued).toBe(1));
    await clock.advance(1_999);
    expect(holds.stats().queued).toBe(1);
    await clock.advance(1);
    const refused = await peer.next();
    expect([refused['id'], outcomeOf(refused)]).toMatchObject([waiting, { reason: 'busy' }]);
    expect(clock.pending).toBe(0);
  });

  it('leaves the queue when it is cancelled, and its handler does not run again', async () => {
    const holds = createHolds({ max: 1, queue: 1 });
    expectEmpty(holds);
    const { peer, runs } = await openHeld(transport, holds);
    const held = await play(peer, ASK);
    await peer.next();
    const waiting = await play(peer, ASK);
    await vi.waitFor(() => expect(holds.stats().queued).toBe(1));
    await peer.cancel(waiting);
    await vi.waitFor(() => expect(holds.stats().queued).toBe(0));
    await expectSilence(peer);
    expect(runs.filter((run) => run === 'script')).toHaveLength(2);
    await peer.cancel(held);
    await vi.waitFor(() => expect(holds.stats().held).toBe(0));
  });
});

describe('a call that waits for a place', () => {
  it('leaves the queue with its connection', async () => {
    const { holds, clock } = holdsOnClock({ max: 1, queue: 1 });
    const [one, other] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    const held = await play(one.peer, ASK);
    await one.peer.next();
    await play(other.peer, ASK);
    await settle();
    expect(holds.stats().queued).toBe(1);
    await other.close();
    await settle();
    expect([holds.stats().queued, clock.pending]).toEqual([0, 0]);
    expect(other.events).toEqual([]);
    await one.peer.cancel(held);
  });

  it.each(HTTP_TRANSPORTS)('leaves it when the stream of the call is gone (%s)', async (transport) => {
    const holds = createHolds({ max: 1, queue: 1 });
    const { peer, client } = await openHttpSession(transport, CAPABLE, { options: { holds } });
    await play(peer, ASK);
    await peer.next();
    const waiting = await play(peer, ASK);
    await vi.waitFor(() => expect(holds.stats().queued).toBe(1));
    client.post(waiting).drop();
    await vi.waitFor(() => expect(holds.stats().queued).toBe(0), 900);
  });

  it('has the time of its round count from when it holds its place', async () => {
    const { holds } = holdsOnClock({ max: 1, queue: 1 });
    const { peer, clock } = await openHeldOnClock(holds, { roundTimeout: 5_000 });
    const held = await play(peer, ASK);
    await peer.next();
    const waiting = await play(peer, ASK);
    await settle();
    await clock.advance(4_000);
    await peer.cancel(held);
    // The dialog of the cancelled call is closed first.
    expect(await peer.next()).toMatchObject({ method: 'notifications/cancelled' });
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    await clock.advance(4_999);
    await expectSilence(peer);
    await clock.advance(1);
    const messages = [await peer.next(), await peer.next()];
    expect(outcomeOf(messages.find(({ id }) => id === waiting) ?? {})).toMatchObject({ reason: 'timeout' });
  });

  it('waits while a call that asks nothing does not', async () => {
    const { holds } = holdsOnClock({ max: 1, queue: 1 });
    const { peer } = await openHeldOnClock(holds);
    const ids = [await play(peer, ASK), await play(peer, ASK)];
    await peer.next();
    await expectSilence(peer);
    for (const id of ids.reverse()) await peer.cancel(id);
  });
});

describe('the end of a connection', () => {
  it('gives its places to others, and seats none of its own queue on the way', async () => {
    const { holds, clock } = holdsOnClock({ max: 1, queue: 100 });
    expectEmpty(holds);
    const [one, other] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    for (let call = 0; call < 50; call += 1) await play(one.peer, ASK);
    await settle();
    await play(other.peer, ASK);
    await settle();
    expect(holds.stats()).toMatchObject({ held: 1, queued: 50 });
    await one.close();
    const leg = await other.peer.next();
    expect(holds.stats()).toMatchObject({ held: 1, queued: 0, calls: 2, rounds: 2, outcomes: { closed: 1 } });
    await other.peer.answer(leg, ADA);
    await other.peer.next();
    expect(clock.pending).toBe(0);
  });

  it('is over in a moment, however many calls wait', async () => {
    const holds = createHolds({ max: 1, queue: 20_000 });
    const { peer, close } = await openHeld('memory', holds);
    for (let call = 0; call < 10_000; call += 1) await play(peer, ASK);
    await settle();
    expect(holds.stats().queued).toBe(9_999);
    const began = performance.now();
    await close();
    await settle();
    expect(holds.stats()).toMatchObject({ held: 0, queued: 0, calls: 1 });
    // It took a second when each one that left let the next one in; a busy machine may be ten times slower than this.
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

it('a call that is cancelled in the turn in which it gets its place is not counted as held', async () => {
  const { holds } = holdsOnClock({ max: 1, queue: 1 });
  expectEmpty(holds);
  const { peer } = await openHeldOnClock(holds);
  const [held, queued] = [await play(peer, ASK), await play(peer, ASK)];
  await peer.next();
  await settle();
  await Promise.all([peer.cancel(held), peer.cancel(queued)]);
  await settle();
  expect(holds.stats()).toMatchObject({ held: 0, calls: 1, outcomes: { 'call-cancelled': 1 } });
});

it.each([0, ''])('a cancelled call with the id %o gives its place back while its handler runs', async (id) => {
  const { holds } = holdsOnClock({ max: 1 });
  const { server, events } = toolServer(
    (extra) =>
      inputContext(extra).round > 0
        ? new Promise(() => undefined)
        : inputRequired({ inputRequests: { who: form() as never } }),
    { holds },
  );
  const peer = await connectPeer(server, CAPABLE);
  await peer.request('tools/call', { name: 'tool', arguments: {} }, id);
  await peer.answer(await peer.next(), ADA);
  await settle();
  await peer.cancel(id);
  await settle();
  expect(holds.stats()).toMatchObject({ held: 0, outcomes: { 'call-cancelled': 1 } });
  expect(events.filter(({ type }) => type === 'hold-end')).toMatchObject([{ outcome: 'call-cancelled' }]);
});

it('a client that went away while its call was queued has one grace, not two', async () => {
  const clock = new ManualClock();
  const holds = createHolds({ max: 1, queue: 1, ports: { clock } });
  const endpoint = await openEndpoint({
    inputRequired: { holds },
    sessions: { eventStore: memoryEventStore() as never, disconnectGrace: 400 },
  });
  const [one, other] = [await endpoint.open(), await endpoint.open()];
  other.streams.revision = '2025-11-25';
  const held = await one.peer.callTool('ask');
  await one.peer.next();
  const queued = await other.peer.callTool('ask');
  await vi.waitFor(() => expect(holds.stats().queued).toBe(1));
  const before = endpoint.clock.pending;
  other.streams.post(queued).drop();
  await vi.waitFor(() => expect(endpoint.clock.pending).toBe(before + 1));
  await endpoint.clock.advance(300);
  await one.peer.cancel(held);
  await vi.waitFor(() => expect(holds.stats()).toMatchObject({ held: 1, queued: 0 }));
  await endpoint.clock.advance(100);
  await vi.waitFor(() => expect(holds.stats().held).toBe(0), 900);
});

describe('the connections of a queue', () => {
  it('take turns', async () => {
    const { holds } = holdsOnClock({ max: 1, queue: 10 });
    expectEmpty(holds);
    const [greedy, modest] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    const order: string[] = [];
    for (let call = 0; call < 4; call += 1) await play(greedy.peer, ASK);
    await settle();
    await play(modest.peer, ASK);
    await settle();
    for (const peer of [greedy.peer, greedy.peer, modest.peer, greedy.peer, greedy.peer]) {
      const leg = await peer.next();
      order.push(peer === modest.peer ? 'modest' : 'greedy');
      await peer.answer(leg, ADA);
      await peer.next();
    }
    expect(order).toEqual(['greedy', 'greedy', 'modest', 'greedy', 'greedy']);
  });
});

describe('the calls of a connection that closes', () => {
  it('leave the queue before its held call gives its place up, which is then for another connection', async () => {
    const holds = createHolds({ max: 1, queue: 2 });
    expectEmpty(holds);
    const [closing, other] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    await play(closing.peer, ASK);
    await closing.peer.next();
    await play(closing.peer, ASK);
    await play(other.peer, ASK);
    await settle();
    expect(holds.stats()).toMatchObject({ held: 1, queued: 2 });
    await closing.close();
    await other.peer.answer(await other.peer.next(), ADA);
    await other.peer.next();
    expect(closing.events.filter(({ type }) => type === 'leg-start')).toHaveLength(1);
    expect(holds.stats()).toMatchObject({ calls: 2, mostHeld: 1 });
  });
});
