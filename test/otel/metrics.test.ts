import { createHolds } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, stateOnly } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { clockSession, play } from '../support/session.ts';
import { observed } from './observed.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const ASK = [ask({ who: form() })];

describe('[T2] the metrics', () => {
  it('tell what is held and queued now, and what was refused', async () => {
    const holds = createHolds({ max: 1, queue: 1 });
    const { telemetry, metrics } = observed({ holds });
    const { peer } = await clockSession(CAPABLE, { options: { holds, telemetry } });
    const shown = async () => {
      const all = await metrics();
      return ['held', 'queued', 'refused'].map((name) => all[`mcp_dual_era.calls.${name}`]?.['']);
    };
    expect(await shown()).toEqual([0, 0, 0]);
    await play(peer, ASK);
    const first = await peer.next();
    await play(peer, ASK);
    await play(peer, ASK);
    await peer.next();
    expect(await shown()).toEqual([1, 1, 1]);
    await peer.answer(first, ADA);
    await peer.next();
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(await shown()).toEqual([0, 0, 1]);
  });

  it('tell the time of rounds and of calls in seconds, and count rounds, questions and calls by their outcome', async () => {
    const { telemetry, metrics } = observed();
    const { peer, clock } = await clockSession(CAPABLE, { options: { telemetry, roundTimeout: 60_000 } });
    await play(peer, [ask({ who: form(), where: roots() }), stateOnly({}), ask({ more: form() })]);
    await clock.advance(0);
    const [who] = [await peer.next()];
    await clock.advance(3_000);
    await peer.answer(who, ADA);
    const where = await peer.next();
    await clock.advance(2_000);
    await peer.answer(where, ROOTS);
    await settle();
    await clock.advance(50);
    const more = await peer.next();
    await clock.advance(1_500);
    await peer.answer(more, { action: 'decline' });
    await peer.next();
    await play(peer, ASK);
    await peer.next();
    await clock.advance(60_000);
    await peer.next();
    await peer.next();

    expect(await metrics()).toEqual({
      'mcp_dual_era.rounds': { '': 4 },
      'mcp_dual_era.legs': { 'form,accepted': 1, 'roots,answered': 1, 'form,declined': 1, 'form,timeout': 1 },
      'mcp_dual_era.holds': { answered: 1, timeout: 1 },
      'mcp_dual_era.answer.duration': { answered: { sum: 6.5, count: 2 }, timeout: { sum: 60, count: 1 } },
      'mcp_dual_era.hold.duration': { answered: { sum: 6.55, count: 1 }, timeout: { sum: 60, count: 1 } },
    });
  });

  it('have buckets for people: from a tenth of a second to an hour', async () => {
    const { telemetry, text } = observed();
    const { peer } = await clockSession(CAPABLE, { options: { telemetry } });
    await play(peer, ASK);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    const boundaries = [...(await text()).matchAll(/"boundaries":\[(.*?)\]/g)].map(([, list]) => list);
    const expected = '0.1,0.5,1,2,5,10,20,30,60,120,300,600,1200,1800,3600';
    expect(boundaries).toEqual([expected, expected]);
  });

  it('are the same sums as those of the holds', async () => {
    const holds = createHolds();
    const { telemetry, metrics } = observed({ holds });
    const { peer } = await clockSession(CAPABLE, { options: { holds, telemetry } });
    await play(peer, [...ASK, ask({ where: roots() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.answer(await peer.next(), ROOTS);
    await peer.next();
    const { rounds, calls, holdTimes, answerTimes } = holds.stats();
    expect([rounds, calls, holdTimes.count, answerTimes.count]).toEqual([2, 1, 1, 2]);
    expect(await metrics()).toMatchObject({
      'mcp_dual_era.rounds': { '': rounds },
      'mcp_dual_era.holds': { answered: calls },
      'mcp_dual_era.hold.duration': { answered: { count: holdTimes.count } },
      'mcp_dual_era.answer.duration': { answered: { count: answerTimes.count } },
    });
  });

  it('read the holds at each collection until they are stopped, and go on otherwise', async () => {
    const holds = createHolds();
    let reads = 0;
    const stats = () => {
      reads += 1;
      return holds.stats();
    };
    const { telemetry, metrics, spans } = observed({ holds: { ...holds, stats } });
    const { peer } = await clockSession(CAPABLE, { options: { holds, telemetry } });
    await play(peer, ASK);
    const leg = await peer.next();
    await metrics();
    await metrics();
    expect(reads).toBe(2);
    telemetry.stop();
    telemetry.stop();
    await peer.answer(leg, ADA);
    await peer.next();
    expect((await metrics())['mcp_dual_era.holds']).toEqual({ answered: 1 });
    expect(spans.ended).toHaveLength(2);
    expect(reads).toBe(2);
  });
});
