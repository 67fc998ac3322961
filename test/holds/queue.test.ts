import { createHolds } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { ADA, ask, form, outcomeOf, told } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { HTTP_TRANSPORTS, openHttpSession } from '../support/open-http.ts';
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
