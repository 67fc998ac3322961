import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { openSession } from '../support/open.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';

const params = (progressToken: unknown): Json => ({ ...PLAY_PARAMS['tools/call'], _meta: { progressToken } });

describe('a progress token of an odd shape', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  const open = async () => {
    session = await openPlay((context) => (context.round === 0 ? ask({ who: form() }) : 'done'));
    return session;
  };

  it.each([
    ['an object', {}],
    ['an array', [1]],
    ['null', null],
    ['true', true],
    ['a fraction', 1.5],
    ['beyond the safe integers', 2 ** 53],
  ])('makes SDK v1 ignore the request, so that nothing is held for it: %s', async (_, token) => {
    const { peer, errors, run } = await open();
    await peer.request('tools/call', params(token), 7);
    expect(errors.map(({ message }) => message.slice(0, 20))).toEqual(['Unknown message type']);
    expect(session.runs()).toBe(0);
    // Not in flight either: the id is free.
    await run('tools/call', 7);
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('done');
    await expectNothingLeft(session);
  });

  it.each([
    ['zero', 0],
    ['a negative number', -5],
    ['an empty string', ''],
    ['__proto__', '__proto__'],
    ['the largest safe integer', 2 ** 53 - 1],
    ['a string that looks like a number', '0'],
  ])('comes back as it is on every heartbeat: %s', async (_, token) => {
    const { peer, clock } = await open();
    await peer.request('tools/call', params(token));
    expect(await peer.next()).toEqual(beat(token, 0));
    const leg = await peer.next();
    await clock.advance(15_000);
    expect(await peer.next()).toEqual(beat(token, 0.000001));
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('done');
    await expectNothingLeft(session);
  });

  it('that two calls share serves both, and the end of one does not stop the other', async () => {
    const { peer, clock } = await open();
    await peer.request('tools/call', params('shared'), 1);
    await peer.request('tools/call', params('shared'), 2);
    const messages = [await peer.next(), await peer.next(), await peer.next(), await peer.next()];
    const legs = messages.filter((message) => 'id' in message);
    await peer.answer(legs[0] as Json, ADA);
    expect(textOf(await peer.next())).toBe('done');
    await clock.advance(15_000);
    expect((await peer.next())['params'].message).toBe('Waiting for an answer');
    await peer.answer(legs[1] as Json, ADA);
    expect(textOf(await peer.next())).toBe('done');
    await expectNothingLeft(session);
  });
});

function beat(progressToken: unknown, progress: number): Json {
  const params = { progressToken, progress, message: 'Waiting for an answer' };
  return { jsonrpc: '2.0', method: 'notifications/progress', params };
}

describe('over HTTP, a progress token of an odd shape', () => {
  it('is refused by the transport with 400, and the next call works', async () => {
    const { peer, close } = await openSession('http', { capabilities: { elicitation: {} } });
    const call = { ...scriptParams('tools/call', []), _meta: { progressToken: {} } };
    expect(await peer.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call })).toBe(400);
    expect((await peer.next())['error'].code).toBe(-32700);
    await peer.request('tools/call', scriptParams('tools/call', []), 7);
    expect(await peer.next()).toMatchObject({ id: 7, result: {} });
    await close();
  });
});
