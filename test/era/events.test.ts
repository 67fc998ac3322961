import type { DualEraEvent } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, stateOnly } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { clockSession, type OpenedOnClock, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const CALL = { method: 'tools/call', target: 'script' };
const WHO = { ...CALL, round: 1, key: 'who', kind: 'form' };
const WHERE = { ...CALL, round: 1, key: 'where', kind: 'roots' };

/** A session that has been open for a while: what a call took is not what its clock shows. */
async function open(...args: Parameters<typeof clockSession>): Promise<OpenedOnClock> {
  const opened = await clockSession(...args);
  await opened.clock.advance(9_000);
  return opened;
}

/** The events without their callId, which must be one and the same. */
function ofOneCall(events: readonly DualEraEvent[]): object[] {
  const ids = new Set<unknown>();
  const rest = events.map((event) => {
    const { callId, ...others } = { callId: undefined, ...event };
    ids.add(callId);
    return others;
  });
  expect(ids.size).toBe(1);
  expect([...ids][0]).toEqual(expect.any(String));
  return rest;
}

describe('the events of a call', () => {
  it('tell one round', async () => {
    const { peer, clock, events } = await open(CAPABLE);
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(3_000);
    await peer.answer(leg, ADA);
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 1 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-end', ...WHO, outcome: 'accepted', ms: 3_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 1, outcome: 'answered', ms: 3_000, handlerRan: true },
      { type: 'hold-end', ...CALL, outcome: 'answered', rounds: 1, ms: 3_000, handlerRan: true },
    ]);
  });

  it('tell two legs, one after the other', async () => {
    const { peer, clock, events } = await open(CAPABLE);
    await play(peer, [ask({ who: form(), where: roots() })]);
    const who = await peer.next();
    await clock.advance(3_000);
    await peer.answer(who, ADA);
    const where = await peer.next();
    await clock.advance(4_000);
    await peer.answer(where, ROOTS);
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 2 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-end', ...WHO, outcome: 'accepted', ms: 3_000 },
      { type: 'leg-start', ...WHERE },
      { type: 'leg-end', ...WHERE, outcome: 'answered', ms: 4_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 2, outcome: 'answered', ms: 7_000, handlerRan: true },
      { type: 'hold-end', ...CALL, outcome: 'answered', rounds: 1, ms: 7_000, handlerRan: true },
    ]);
  });

  it('tell two legs at once', async () => {
    const { peer, clock, events } = await open(CAPABLE, { options: { legs: 'concurrent' } });
    await play(peer, [ask({ who: form(), where: roots() })]);
    const [who, where] = [await peer.next(), await peer.next()];
    await clock.advance(3_000);
    await peer.answer(where, ROOTS);
    await clock.advance(4_000);
    await peer.answer(who, { action: 'decline' });
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 2 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-start', ...WHERE },
      { type: 'leg-end', ...WHERE, outcome: 'answered', ms: 3_000 },
      { type: 'leg-end', ...WHO, outcome: 'declined', ms: 7_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 2, outcome: 'answered', ms: 7_000, handlerRan: true },
      { type: 'hold-end', ...CALL, outcome: 'answered', rounds: 1, ms: 7_000, handlerRan: true },
    ]);
  });

  it('tell a refusal after a round', async () => {
    const { peer, clock, events } = await open(CAPABLE);
    await play(peer, [ask({ who: form() }), ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(3_000);
    await peer.answer(leg, { action: 'decline' });
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 1 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-end', ...WHO, outcome: 'declined', ms: 3_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 1, outcome: 'answered', ms: 3_000, handlerRan: true },
      { type: 'hold-end', ...CALL, outcome: 'declined', rounds: 2, ms: 3_000, handlerRan: true },
    ]);
  });

  it('tell nothing of a call that is refused before it was held', async () => {
    const { peer, events } = await open();
    await play(peer, [ask({ who: form() })]);
    await peer.next();
    expect(events).toEqual([]);
  });

  it('tell a time-out', async () => {
    const { peer, clock, events } = await open(CAPABLE, { options: { roundTimeout: 5_000 } });
    await play(peer, [ask({ who: form(), where: roots() })]);
    await peer.next();
    await clock.advance(5_000);
    await peer.next();
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 2 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-end', ...WHO, outcome: 'timeout', ms: 5_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 2, outcome: 'timeout', ms: 5_000, handlerRan: false },
      { type: 'hold-end', ...CALL, outcome: 'timeout', rounds: 1, ms: 5_000, handlerRan: false },
    ]);
  });

  it("tell a client's error, and the leg it left open", async () => {
    const { peer, events } = await open(CAPABLE, { options: { legs: 'concurrent' } });
    await play(peer, [ask({ who: form(), where: roots() })]);
    const who = await peer.next();
    await peer.next();
    await peer.answerError(who, -32601);
    await peer.next();
    await settle();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 2 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-start', ...WHERE },
      { type: 'leg-end', ...WHO, outcome: 'client-error', ms: 0 },
      { type: 'leg-end', ...WHERE, outcome: 'round-ended', ms: 0 },
      { type: 'round-end', ...CALL, round: 1, legs: 2, outcome: 'client-error', ms: 0, handlerRan: false },
      { type: 'hold-end', ...CALL, outcome: 'client-error', rounds: 1, ms: 0, handlerRan: false },
    ]);
  });

  it.each([
    ['a cancelled call', 'call-cancelled'],
    ['a closed connection', 'closed'],
  ])('tell %s, the end of the hold last', async (_name, outcome) => {
    const { peer, clock, events } = await open(CAPABLE);
    const id = await play(peer, [ask({ who: form() })]);
    await peer.next();
    await clock.advance(5_000);
    await (outcome === 'closed' ? peer.close() : peer.cancel(id));
    await settle();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 1 },
      { type: 'leg-start', ...WHO },
      { type: 'leg-end', ...WHO, outcome, ms: 5_000 },
      { type: 'round-end', ...CALL, round: 1, legs: 1, outcome, ms: 5_000, handlerRan: false },
      { type: 'hold-end', ...CALL, outcome, rounds: 1, ms: 5_000, handlerRan: false },
    ]);
  });

  it('tell a round with a state only, which is no hold', async () => {
    const { peer, clock, events } = await open();
    await play(peer, [stateOnly({ page: 1 })]);
    await clock.advance(50);
    await peer.next();
    expect(ofOneCall(events)).toEqual([
      { type: 'round-start', ...CALL, round: 1, legs: 0 },
      { type: 'round-end', ...CALL, round: 1, legs: 0, outcome: 'answered', ms: 50, handlerRan: true },
    ]);
  });

  it('tell a mistake of the server in a later round', async () => {
    const { peer, events } = await open(CAPABLE);
    await play(peer, [ask({ who: form() }), ask({})]);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(events.slice(3)).toMatchObject([
      { type: 'round-end', round: 1, outcome: 'answered' },
      { type: 'error', ...CALL, message: 'an ask needs at least one entry in inputRequests, or a requestState' },
      { type: 'hold-end', ...CALL, outcome: 'server-error', rounds: 2, handlerRan: true },
    ]);
  });

  it('have one callId through all rounds, and another one for each call', async () => {
    const { peer, events } = await open(CAPABLE);
    for (let call = 0; call < 2; call += 1) {
      await play(peer, [ask({ who: form() }), ask({ again: form('And now?') })]);
      await peer.answer(await peer.next(), ADA);
      await peer.answer(await peer.next(), ADA);
      await peer.next();
    }
    expect(events).toHaveLength(18);
    const ids = [events.slice(0, 9), events.slice(9)].map((half) => {
      const callIds = new Set(half.map((event) => 'callId' in event && event.callId));
      expect(callIds.size).toBe(1);
      return [...callIds][0];
    });
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each(['http', 'stdio'] as const)('tell one round (%s)', async (transport) => {
    const { peer, events } = await session(transport, CAPABLE);
    await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    const types = ['round-start', 'leg-start', 'leg-end', 'round-end', 'hold-end'];
    // What a child reports comes on another pipe than its answers.
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(types));
    ofOneCall(events);
  });
});
