import { describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: { elicitation: {} } };
const forever = (asked: Json): Json[] => Array.from({ length: 20 }, () => asked);

describe('maxRounds', () => {
  it('is 8 by default: the ninth ask of a handler that asks for ever ends the call (F22)', async () => {
    const { peer, runs } = await clockSession(CAPABLE);
    await play(peer, forever(ask({ who: form() })));
    for (let round = 0; round < 8; round += 1) await peer.answer(await peer.next(), ADA);
    const answer = await peer.next();
    expect(outcomeOf(answer)).toEqual({ reason: 'rounds-exceeded', method: 'tools/call', target: 'script', round: 9 });
    expect(answer['result'].content[0].text).toBe(
      'The tool script was not completed: it asked more often than this server allows in one call (maxRounds is 8).',
    );
    expect(runs).toHaveLength(9);
    await expectSilence(peer);
  });

  it.each(METHODS)('of 1 allows one round of %s', async (method) => {
    const { peer } = await clockSession(CAPABLE, { options: { maxRounds: 1 } });
    await peer.request(method, scriptParams(method, [ask({ who: form() })]));
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['round']).toBe(1);
    await peer.request(method, scriptParams(method, [ask({ a: form() }), ask({ b: form('And now?') })]));
    await peer.answer(await peer.next(), ADA);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', method, round: 2 });
  });

  it('counts for each call on its own', async () => {
    const { peer } = await session('http', CAPABLE, { options: { maxRounds: 1 } });
    for (let call = 0; call < 3; call += 1) {
      await play(peer, [ask({ who: form() })]);
      await peer.answer(await peer.next(), ADA);
      expect(told(await peer.next())['round']).toBe(1);
    }
  });
});

describe('an ask with neither a question nor a state (F22)', () => {
  it.each([
    ['inputRequests: {}', { resultType: 'input_required', inputRequests: {} }],
    ['no member at all', { resultType: 'input_required' }],
  ])('is refused as a mistake of the server: %s', async (_name, asked) => {
    const { peer, runs } = await clockSession(CAPABLE);
    await play(peer, [asked]);
    expect((await peer.next())['error']).toEqual({
      code: -32603,
      message: 'tools/call cannot ask: an ask needs at least one entry in inputRequests, or a requestState',
    });
    expect(runs).toHaveLength(1);
  });
});
