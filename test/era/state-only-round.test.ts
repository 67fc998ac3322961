import { describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf, stateOnly, told } from '../support/asks.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

const pages = (count: number) => Array.from({ length: count }, (_value, page) => stateOnly({ page }));

describe('[H8] a round with a state only', () => {
  it('runs again after 50, 100, 200, 250 and 250 ms', async () => {
    const { peer, clock, runs } = await clockSession();
    await play(peer, pages(5));
    for (const [index, ms] of [50, 100, 200, 250, 250].entries()) {
      await clock.advance(ms - 1);
      expect(runs).toHaveLength(index + 1);
      await clock.advance(1);
      expect(runs).toHaveLength(index + 2);
    }
    const answer = await peer.next();
    expect(told(answer)).toEqual({ round: 5, responses: null, views: {}, state: { page: 4 }, canAsk: [] });
    await expectSilence(peer);
  });

  it('counts in maxRounds', async () => {
    const { peer, clock, runs } = await clockSession({}, { options: { maxRounds: 3 } });
    await play(peer, pages(20));
    await clock.advance(10_000);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', round: 4 });
    expect(runs).toHaveLength(4);
  });

  it('counts in maxRounds together with rounds that ask', async () => {
    const { peer, clock } = await clockSession({ capabilities: { elicitation: {} } }, { options: { maxRounds: 2 } });
    await play(peer, [stateOnly({ page: 1 }), ask({ who: form() }), stateOnly({ page: 2 })]);
    await clock.advance(50);
    await peer.answer(await peer.next(), ADA);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', round: 3 });
  });

  it.each(METHODS)('serves %s for a client that declared nothing', async (method) => {
    const { peer, clock } = await clockSession();
    await peer.request(method, scriptParams(method, pages(1)));
    await clock.advance(50);
    expect(told(await peer.next())).toMatchObject({ round: 1, state: { page: 0 } });
  });

  it('sends no message before the result, a heartbeat included', async () => {
    const { peer, clock } = await clockSession({}, { options: { heartbeat: 1 } });
    await peer.request('tools/call', { ...scriptParams('tools/call', pages(2)), _meta: { progressToken: 't' } });
    await clock.advance(150);
    expect(told(await peer.next())['round']).toBe(2);
    await expectSilence(peer);
  });

  it.each(['http', 'stdio'] as const)('runs again (%s)', async (transport) => {
    const { peer } = await session(transport);
    await play(peer, pages(2));
    expect(told(await peer.next())).toMatchObject({ round: 2, state: { page: 1 } });
  });

  it('runs again in JSON response mode, where no question could travel', async () => {
    const { peer } = await session('http', {}, { http: { enableJsonResponse: true } });
    await play(peer, pages(1));
    expect(told(await peer.next())).toMatchObject({ round: 1, state: { page: 0 } });
  });
});
