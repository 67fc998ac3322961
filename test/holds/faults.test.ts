import { createHolds } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { ADA, ask, form, outcomeOf, roots } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import type { Opened } from '../support/open.ts';
import { openHttpSession } from '../support/open-http.ts';
import { seededRandom } from '../support/random.ts';
import { play } from '../support/session.ts';
import { CAPABLE, openHeld, TRANSPORTS } from './open-held.ts';

const ROUND = ask({ who: form(), where: roots() });
const CLIENTS = 12;

/** What a client does with the questions it gets. */
const FAULTS: Readonly<Record<string, (opened: Opened, leg: Json) => Promise<unknown>>> = {
  'answers twice': async ({ peer }, leg) => {
    await peer.answer(leg, ADA);
    await peer.answer(leg, { action: 'decline' });
  },
  'answers with an error': ({ peer }, leg) => peer.answerError(leg, -32603),
  'answers nonsense': ({ peer }, leg) => peer.answer(leg, { action: 'perhaps', content: 5 }),
  'answers a question that was never asked': ({ peer }, leg) =>
    peer.answer({ id: `${leg['id']}.9` }, { action: 'accept', content: { name: 'x' } }),
  'says nothing': async () => undefined,
  vanishes: ({ close }) => close(),
};

describe.each(TRANSPORTS)('clients that do what they please (%s)', (transport) => {
  it.each([1, 2, 3])('leave every gauge at zero (seed %d)', async (seed) => {
    const random = seededRandom(seed);
    const holds = createHolds({ max: 6, maxPerConnection: 3, queue: 8, queueTimeout: 2_000 });
    const faults = Object.keys(FAULTS);
    const late: [Opened, Json][] = [];
    const playWith = async (): Promise<void> => {
      const opened = await openHeld(transport, holds, { roundTimeout: 60, ports: { warn: () => undefined } });
      let isGone = false;
      for (let call = 0; call < 4; call += 1) await play(opened.peer, [ROUND]);
      for (const message of await opened.peer.rest(40)) {
        if (!('method' in message) || isGone) continue;
        const fault = faults[Math.floor(random() * faults.length)] ?? '';
        late.push([opened, message]);
        await FAULTS[fault]?.(opened, message).catch(() => undefined);
        isGone = fault === 'vanishes';
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, playWith));
    await vi.waitFor(() => expect(holds.stats()).toMatchObject({ held: 0, queued: 0, openLegs: 0 }), 5_000);
    for (const [{ peer }, leg] of late) await peer.answer(leg, ADA).catch(() => undefined);
    const { calls, refused, outcomes, legs, rounds } = holds.stats();
    const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    // Every call that got a place has come to an end, and everybody has either got one, or been told, or has left.
    expect(ended).toBe(calls);
    expect(calls + refused).toBeLessThanOrEqual(4 * CLIENTS);
    expect(rounds).toBeGreaterThanOrEqual(calls);
    expect(Object.keys(legs)).toContain('form');
    expect(calls).toBeGreaterThan(6);
  });
});

describe('[F07] 1 000 concurrent calls that all ask', () => {
  it.each(['memory', 'node'] as const)(
    'are held up to the limit; the others end at once as busy (%s)',
    async (transport) => {
      const limit = 50;
      const holds = createHolds({ max: limit });
      const { peer } =
        transport === 'memory'
          ? await openHeld('memory', holds)
          : await openHttpSession('node', CAPABLE, { options: { holds } });
      const ids = await Promise.all(Array.from({ length: 1_000 }, () => play(peer, [ask({ who: form() })])));
      const legs: Json[] = [];
      const ends: Json[] = [];
      for (let message = 0; message < 1_000; message += 1) {
        const next = await peer.next();
        if ('method' in next) legs.push(next);
        else ends.push(next);
      }
      expect([legs.length, ends.length]).toEqual([limit, 1_000 - limit]);
      for (const end of ends) expect(outcomeOf(end)).toMatchObject({ reason: 'busy', retryAfter: 5_000 });
      expect(holds.stats()).toMatchObject({ held: limit, mostHeld: limit, refused: 1_000 - limit, openLegs: limit });
      for (const leg of legs) await peer.answer(leg, ADA);
      for (let answer = 0; answer < limit; answer += 1) ends.push(await peer.next());
      expect(new Set(ends.map(({ id }) => id))).toEqual(new Set(ids));
      expect(holds.stats()).toMatchObject({ held: 0, openLegs: 0 });
    },
  );
});
