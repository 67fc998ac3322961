import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, ROOTS, roots, sampling, told, url } from '../support/asks.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectForgotten, expectSilence, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };

describe("a client's error answer", () => {
  it.each([-32601, -32602, -1, 42])('ends the call with client-error and its code %d (F30)', async (code) => {
    const opened = await clockSession(CAPABLE);
    const { peer, runs } = opened;
    const id = await play(peer, [ask({ who: form(), where: roots() })]);
    const leg = await peer.next();
    await peer.answerError(leg, code, 'I would rather not');
    const answer = await peer.next();
    expect(outcomeOf(answer)).toEqual({
      reason: 'client-error',
      method: 'tools/call',
      target: 'script',
      round: 1,
      key: 'who',
      code,
    });
    expect(answer['result'].content[0].text).toBe(
      'The tool script was not completed: the client answered its question with an error ' +
        `(the question is "who", the code ${code}).`,
    );
    expect(runs).toEqual(['script']);
    await expectForgotten(opened, id, leg);
  });

  it.each(METHODS.slice(1))('ends %s with a JSON-RPC error', async (method) => {
    const { peer } = await clockSession(CAPABLE);
    await peer.request(method, scriptParams(method, [ask({ who: form() })]));
    await peer.answerError(await peer.next(), -32601);
    const answer = await peer.next();
    expect(answer['error'].code).toBe(-32603);
    expect(answer['error'].data).toMatchObject({ reason: 'client-error', method, code: -32601 });
  });

  it('closes the other dialogs with legs: concurrent', async () => {
    const { peer } = await clockSession(CAPABLE, { options: { legs: 'concurrent' } });
    await play(peer, [ask({ who: form(), auth: url(), where: roots() })]);
    const legs = [await peer.next(), await peer.next(), await peer.next()];
    await peer.answerError(legs[1] ?? {}, -32601);
    const closed = [await peer.next(), await peer.next()];
    expect(closed.map(({ method, params }) => [method, params])).toEqual([
      ['notifications/cancelled', { requestId: legs[0]?.['id'], reason: 'The question is no longer needed' }],
      ['notifications/cancelled', { requestId: legs[2]?.['id'], reason: 'The question is no longer needed' }],
    ]);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'client-error', key: 'auth' });
    await expectSilence(peer);
  });

  it('sends no further leg of its round', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, [ask({ who: form(), where: roots() })]);
    await peer.answerError(await peer.next(), -32603);
    expect(outcomeOf(await peer.next())['reason']).toBe('client-error');
    await expectSilence(peer);
  });

  it('ends the call over HTTP', async () => {
    const { peer } = await session('http', CAPABLE);
    await play(peer, [ask({ who: form() })]);
    await peer.answerError(await peer.next(), -32601);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'client-error', code: -32601 });
  });
});

describe("a client's error answer with onFailedLeg: reenter", () => {
  const REENTER = { options: { onFailedLeg: 'reenter' as const } };

  it('reads as failed, with its code, and is absent from the responses', async () => {
    const { peer } = await clockSession(CAPABLE, REENTER);
    await play(peer, [ask({ who: form(), sum: sampling(), where: roots() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.answerError(await peer.next(), -32601);
    await peer.answer(await peer.next(), ROOTS);
    const report = told(await peer.next());
    expect(report['responses']).toEqual({ who: ADA, where: ROOTS });
    expect(report['views']).toEqual({
      who: { kind: 'elicit', action: 'accept', content: { name: 'Ada' } },
      sum: { kind: 'failed', reason: 'client-error', code: -32601 },
      where: { kind: 'roots', roots: ROOTS['roots'] },
    });
  });

  it('leaves no responses when it was the only answer', async () => {
    const { peer } = await clockSession(CAPABLE, REENTER);
    await play(peer, [ask({ who: form() }, { step: 1 })]);
    await peer.answerError(await peer.next(), -32602);
    expect(told(await peer.next())).toEqual({
      round: 1,
      responses: null,
      views: { who: { kind: 'failed', reason: 'client-error', code: -32602 } },
      state: { step: 1 },
      canAsk: ['form', 'url', 'sampling', 'sampling.tools', 'roots'],
    });
  });

  it('ends the call as repeated-ask when the handler asks the same again', async () => {
    const { peer, runs } = await clockSession(CAPABLE, REENTER);
    await play(peer, [ask({ sum: sampling() }), ask({ sum: sampling() })]);
    await peer.answerError(await peer.next(), -32601);
    expect(outcomeOf(await peer.next())).toEqual({
      reason: 'repeated-ask',
      method: 'tools/call',
      target: 'script',
      round: 2,
      key: 'sum',
    });
    expect(runs).toEqual(['script', 'script']);
  });

  it('lets the handler ask something else', async () => {
    const { peer } = await clockSession(CAPABLE, REENTER);
    await play(peer, [ask({ sum: sampling() }), ask({ who: form() })]);
    await peer.answerError(await peer.next(), -32601);
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())).toMatchObject({ round: 2, responses: { who: ADA } });
  });

  it('still ends the call on a time-out', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { onFailedLeg: 'reenter', roundTimeout: 5_000 } });
    await play(peer, [ask({ who: form() })]);
    await peer.next();
    await clock.advance(5_000);
    await peer.next();
    expect(outcomeOf(await peer.next())['reason']).toBe('timeout');
  });
});

describe('an answer without the shape of its kind', () => {
  it.each([
    ['a form', form(), { action: 'maybe' }],
    ['sampling', sampling(), { role: 'assistant', content: { type: 'text', text: 'no model' } }],
    ['roots', roots(), { roots: [{ uri: 'https://not.a.file' }] }],
  ])('reads as failed, malformed, and absent from the responses: %s', async (_name, question, answer) => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, [ask({ q: question })]);
    await peer.answer(await peer.next(), answer);
    expect(told(await peer.next())).toMatchObject({
      round: 1,
      responses: null,
      views: { q: { kind: 'failed', reason: 'malformed' } },
    });
  });
});
