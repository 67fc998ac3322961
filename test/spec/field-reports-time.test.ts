import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf, roots } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

describe('field reports about time', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  const openAsking = async () => {
    session = await openPlay(
      (context) =>
        context.round === 0 ? ask({ who: form() }) : `Hello ${context.accepted<{ name: string }>('who')?.name}`,
      { capabilities: { elicitation: {} } },
    );
    return session;
  };

  it.each([
    ['61 s', 61_000],
    ['5 min', 300_000],
    ['a millisecond before the default of 10 min', 599_999],
  ])('[F01] [F02] [O2] an answer after %s is delivered: the shim is the only clock', async (_, ms) => {
    const { peer, clock, run } = await openAsking();
    await run();
    const leg = await peer.next();
    await clock.advance(ms);
    expect(await peer.rest(0)).toEqual([]);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('Hello Ada');
    await expectNothingLeft(session);
  });

  it('[F03] [H5a] [H5b] [S9] a cancelled call without a progress token sends no progress, closes its dialog, and leaves nothing', async () => {
    const { peer, clock, run, runs } = await openAsking();
    const id = await run();
    const leg = await peer.next();
    await clock.advance(45_000);
    await peer.cancel(id);
    await clock.advance(600_000);
    expect(await peer.rest(0)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: leg['id'], reason: 'The call was cancelled' },
      },
    ]);
    expect(runs()).toBe(1);
    await expectNothingLeft(session);
  });

  it('[F04] a client that gives up after a minute without an answer gets nothing more, and the hold is released', async () => {
    const { peer, clock, run, runs, events } = await openAsking();
    const id = await run();
    const leg = await peer.next();
    await clock.advance(60_000);
    await peer.cancel(id);
    await settle();
    expect((await peer.rest(0)).map(({ params }) => params.requestId)).toEqual([leg['id']]);
    expect(runs()).toBe(1);
    const end = { type: 'hold-end', outcome: 'call-cancelled', ms: 60_000, handlerRan: false };
    expect(events.filter(({ type }) => type === 'hold-end')).toMatchObject([end]);
    await expectNothingLeft(session);
  });

  it('[F05] [H5b] a transport that closes with a question open releases everything at once', async () => {
    const { peer, near, clock, run, runs, events } = await openAsking();
    await run();
    await peer.next();
    await near.close();
    expect(clock.pending).toBe(0);
    await settle();
    const ends = events.filter(({ type }) => type.endsWith('-end'));
    expect(ends.map((end) => 'outcome' in end && end.outcome)).toEqual(['closed', 'closed', 'closed']);
    expect(await peer.rest(0)).toEqual([]);
    expect(runs()).toBe(1);
  });

  it('[F06] [O2] [R4] three calls of a client that never answers each end as timed out, never as declined', async () => {
    const { peer, clock, run, runs } = await openAsking();
    for (const method of METHODS) await run(method);
    const legs = [await peer.next(), await peer.next(), await peer.next()];
    await clock.advance(600_000);
    const messages = await peer.rest(0);
    const closed = messages.filter(({ method }) => method === 'notifications/cancelled');
    expect(closed.map(({ params }) => params.requestId)).toEqual(legs.map(({ id }) => id));
    const outcomes = messages.filter((message) => !('method' in message)).map(outcomeOf);
    expect(outcomes.map(({ reason, round, key }) => [reason, round, key])).toEqual([
      ['timeout', 1, 'who'],
      ['timeout', 1, 'who'],
      ['timeout', 1, 'who'],
    ]);
    expect(runs()).toBe(3);
    await expectNothingLeft(session);
  });

  it('[F46] [H5c] an answer a second after the time-out is dropped, and later calls are fine', async () => {
    const { peer, clock, run, runs, events } = await openAsking();
    await run();
    const leg = await peer.next();
    await clock.advance(600_000);
    expect((await peer.rest(0)).map((message) => 'method' in message)).toEqual([true, false]);
    await clock.advance(1_000);
    await peer.answer(leg, ADA);
    await settle();
    expect(await peer.rest(0)).toEqual([]);
    expect([events.at(-1)?.type, runs()]).toEqual(['late-answer', 1]);
    await run();
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('Hello Ada');
    await expectNothingLeft(session);
  });

  it('[O2] the limit is for all questions of a round together', async () => {
    session = await openPlay(() => ask({ a: roots(), b: roots() }));
    const { peer, clock, run } = session;
    await run();
    await clock.advance(400_000);
    await peer.answer(await peer.next(), { roots: [] });
    const second = await peer.next();
    await clock.advance(199_999);
    expect(await peer.rest(0)).toEqual([]);
    await clock.advance(1);
    expect((await peer.next())['params'].requestId).toBe(second['id']);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'timeout', key: 'b' });
    await expectNothingLeft(session);
  });
});
