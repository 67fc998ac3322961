import { createHolds, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ADA, ask, form, outcomeOf, stateOnly, told } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { settle } from '../support/manual-clock.ts';
import type { OpenedHttp } from '../support/open-http.ts';
import { connectPeer } from '../support/own-server.ts';
import { sdkNamed } from '../support/sdk.ts';
import { expectSilence, play } from '../support/session.ts';
import { ASK, CAPABLE, expectEmpty, holdsOnClock, openHeld, openHeldOnClock, TRANSPORTS } from './open-held.ts';

describe.each(TRANSPORTS)('drain (%s)', (transport) => {
  it('gives no more places, and lets the held calls finish within the grace', async () => {
    const { holds, clock } = holdsOnClock({ max: 1, queue: 1 });
    expectEmpty(holds);
    const { peer } = await openHeld(transport, holds);
    const held = await play(peer, ASK);
    const leg = await peer.next();
    const queued = await play(peer, ASK);
    await vi.waitFor(() => expect(holds.stats().queued).toBe(1));
    const drained = holds.drain(10_000);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy' });
    const late = await play(peer, ASK);
    const refused = await peer.next();
    expect([refused['id'], outcomeOf(refused)]).toMatchObject([late, { reason: 'busy' }]);
    expect(holds.stats()).toMatchObject({ held: 1, queued: 0, refused: 2, isDraining: true });
    await expectSilence(peer);
    await peer.answer(leg, ADA);
    const answer = await peer.next();
    expect([answer['id'], told(answer)['responses']]).toEqual([held, { who: ADA }]);
    expect(await drained).toEqual({ finished: 1, ended: 0 });
    expect([clock.pending, queued]).toEqual([0, expect.anything()]);
  });

  it('ends those that still wait as busy when the grace is over, and closes their dialogs', async () => {
    const { holds, clock } = holdsOnClock();
    expectEmpty(holds);
    const { peer, runs } = await openHeld(transport, holds);
    const held = await play(peer, ASK);
    const leg = await peer.next();
    const drained = holds.drain(10_000);
    await clock.advance(9_999);
    await expectSilence(peer);
    await clock.advance(1);
    const messages = [await peer.next(), await peer.next()];
    expect(messages.find((message) => 'method' in message)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: leg['id'], reason: 'The server is shutting down' },
    });
    expect(outcomeOf(messages.find(({ id }) => id === held) ?? {})).toMatchObject({ reason: 'busy', round: 1 });
    expect(await drained).toEqual({ finished: 0, ended: 1 });
    expect(runs.filter((run) => run === 'script')).toHaveLength(1);
    await peer.answer(leg, ADA);
    await expectSilence(peer);
    expect(clock.pending).toBe(0);
  });
});

describe('drain', () => {
  it('lets a held call ask on within the grace, as often as it has to', async () => {
    const { holds, clock } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds);
    await play(peer, [ask({ who: form('1') }), ask({ who: form('2') })]);
    const first = await peer.next();
    const drained = holds.drain(10_000);
    await peer.answer(first, ADA);
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['round']).toBe(2);
    expect(await drained).toEqual({ finished: 1, ended: 0 });
    expect(clock.pending).toBe(0);
  });

  it('without a grace ends everything at once', async () => {
    const { holds, clock } = holdsOnClock();
    const { peer, events } = await openHeldOnClock(holds);
    const ids = [await play(peer, ASK), await play(peer, ASK)];
    await peer.next();
    await peer.next();
    expect(await holds.drain(0)).toEqual({ finished: 0, ended: 2 });
    const messages = await Promise.all([peer.next(), peer.next(), peer.next(), peer.next()]);
    for (const id of ids) {
      expect(outcomeOf(messages.find((message) => message['id'] === id) ?? {})).toMatchObject({ reason: 'busy' });
    }
    expect(events.filter(({ type }) => type === 'hold-end')).toMatchObject([{ outcome: 'busy' }, { outcome: 'busy' }]);
    expect([holds.stats().held, clock.pending]).toEqual([0, 0]);
  });

  it('ends a call whose handler was running when the grace was over, if it asks again', async () => {
    const { holds, clock } = holdsOnClock();
    let goOn: () => void = () => undefined;
    const isFree = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const server = new (sdkNamed('newest').McpServer)({ name: 'slow', version: '1' });
    server.registerTool('slow', {}, async (extra) => {
      const { round } = inputContext(extra);
      if (round === 1) await isFree;
      return inputRequired({ inputRequests: { who: form(`question ${round}`) as never } });
    });
    const peer = await connectPeer(withInputRequiredShim(server, { holds }), CAPABLE);
    await peer.callTool('slow');
    await peer.answer(await peer.next(), ADA);
    await settle();
    const drained = holds.drain(10_000);
    await clock.advance(10_000);
    expect(await drained).toEqual({ finished: 0, ended: 0 });
    expect(holds.stats().held).toBe(1);
    goOn();
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy', round: 2 });
    expect(holds.stats().held).toBe(0);
  });

  it.each(TRANSPORTS)(
    'has told whom it ended before it resolves, so that the server may be closed (%s)',
    async (transport) => {
      const holds = createHolds();
      const opened = await openHeld(transport, holds);
      const { peer } = opened;
      const held = await play(peer, ASK);
      await peer.next();
      expect(await holds.drain(0)).toEqual({ finished: 0, ended: 1 });
      expect(holds.stats()).toMatchObject({ held: 0, outcomes: { busy: 1 } });
      await ('closeTransport' in opened ? (opened as OpenedHttp).closeTransport() : opened.close());
      const told = await peer.rest(100);
      expect(outcomeOf(told.find(({ id }) => id === held) ?? {})).toMatchObject({ reason: 'busy' });
    },
  );

  it('ends also a call that got its place in that very turn', async () => {
    const { holds } = holdsOnClock({ max: 1, queue: 1 });
    expectEmpty(holds);
    const { peer } = await openHeldOnClock(holds);
    const held = await play(peer, ASK);
    await peer.next();
    const queued = await play(peer, ASK);
    await settle();
    const cancelled = peer.cancel(held);
    await holds.drain(0);
    await cancelled;
    await settle();
    const told = await peer.rest(50);
    expect(outcomeOf(told.find(({ id }) => id === queued) ?? {})).toMatchObject({ reason: 'busy' });
  });

  it('counts a call whose answer came in that very turn as neither, and lets it finish', async () => {
    const { holds } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds);
    const id = await play(peer, ASK);
    const answered = peer.answer(await peer.next(), ADA);
    await answered;
    expect(await holds.drain(0)).toEqual({ finished: 0, ended: 0 });
    const answer = await peer.next();
    expect([answer['id'], told(answer)['responses']]).toEqual([id, { who: ADA }]);
  });

  it('ends a call that asks with a state only from then on', async () => {
    const { holds } = holdsOnClock();
    const { peer, clock } = await openHeldOnClock(holds);
    await play(peer, [ask({ who: form() }), stateOnly({ page: 1 }), stateOnly({ page: 2 })]);
    await peer.answer(await peer.next(), ADA);
    await settle();
    expect(await holds.drain(0)).toEqual({ finished: 0, ended: 0 });
    await clock.advance(50);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy', round: 3 });
  });

  it('twice, with different graces, tells the same of each call', async () => {
    const { holds, clock } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds);
    await play(peer, ASK);
    await peer.next();
    const both = Promise.all([holds.drain(1_000), holds.drain(20)]);
    await clock.advance(20);
    expect(await both).toEqual([
      { finished: 0, ended: 1 },
      { finished: 0, ended: 1 },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for ever for an answer that cannot be sent', async () => {
    const { holds, clock } = holdsOnClock();
    const server = new (sdkNamed('newest').McpServer)({ name: 'stuck', version: '1' });
    server.registerTool('ask', {}, () => inputRequired({ inputRequests: { who: form() as never } }));
    withInputRequiredShim(server, { holds });
    const { peer, far } = await connectMemory(server);
    onTestFinished(() => server.close());
    await peer.handshake(CAPABLE);
    const send = far.send.bind(far);
    far.send = (message, options) => ('result' in message ? new Promise(() => undefined) : send(message, options));
    await peer.callTool('ask');
    await peer.next();
    const drained = holds.drain(0);
    await clock.advance(5_000);
    expect(await drained).toEqual({ finished: 0, ended: 1 });
    expect(clock.pending).toBe(0);
  });

  it('ten thousand times at once is one drain', async () => {
    const { holds } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds);
    const id = await play(peer, ASK);
    const leg = await peer.next();
    const all = Promise.all(Array.from({ length: 10_000 }, () => holds.drain(60_000)));
    await peer.answer(leg, ADA);
    expect((await peer.next())['id']).toBe(id);
    expect(new Set((await all).map(({ finished }) => finished))).toEqual(new Set([1]));
  });

  it('twice tells each of them', async () => {
    const { holds, clock } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds);
    const id = await play(peer, ASK);
    await peer.next();
    const both = Promise.all([holds.drain(10_000), holds.drain(20_000)]);
    await peer.cancel(id);
    expect(await both).toEqual([
      { finished: 1, ended: 0 },
      { finished: 1, ended: 0 },
    ]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    [-1, RangeError],
    [0.5, RangeError],
    [2_147_483_648, RangeError],
    [Number.NaN, RangeError],
    ['1s', TypeError],
    [null, TypeError],
  ])('refuses a grace of %o', async (grace, kind) => {
    const holds = createHolds();
    await expect(holds.drain(grace as never)).rejects.toThrow(kind);
    await expect(holds.drain(grace as never)).rejects.toThrow(/^grace must be .+, got [^,]+$/);
    expect(holds.stats().isDraining).toBe(false);
  });
});
