import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { PLAY_PARAMS, textOf } from '../support/play-server.ts';

describe('[H5c] an answer that belongs to no open question', () => {
  let session: PlaySession;
  beforeEach(async () => {
    session = await openPlay((context) =>
      context.round === 0 ? ask({ who: form() }) : `Hello ${context.accepted<{ name: string }>('who')?.name}`,
    );
  });
  afterEach(() => session.close());

  const countOf = (type: string): number => session.events.filter((event) => event.type === type).length;

  /** The question that is open meanwhile is answered as if nothing had happened. */
  async function expectUndisturbed(leg: Json): Promise<void> {
    await settle();
    expect(await session.peer.rest(0)).toEqual([]);
    await session.peer.answer(leg, ADA);
    expect(textOf(await session.peer.next())).toBe('Hello Ada');
    expect(session.runs()).toBe(2);
    await expectNothingLeft(session);
  }

  it('is dropped where its id is one of ours that was never sent', async () => {
    const { peer, run } = session;
    await run();
    const leg = await peer.next();
    await peer.answer({ id: `${leg['id']}9` }, ADA);
    await peer.answer({ id: String(leg['id']).replace(/[^.]*$/, '') }, ADA);
    expect(countOf('late-answer')).toBe(2);
    await expectUndisturbed(leg);
  });

  it.each([
    ['a number', 0],
    ['a large number', 999_999],
    ['an empty string', ''],
    ['a string that looks like a number', '0'],
    ['the id of the call itself', 'the-call'],
    ['__proto__', '__proto__'],
    ["another connection's leg", 'dual-era-00000000-0000-4000-8000-000000000000.1.1.1'],
  ])('is reported, and disturbs nothing, where its id is %s', async (_, id) => {
    const { peer, errors, run } = session;
    await run('tools/call', 'the-call');
    const leg = await peer.next();
    await peer.answer({ id }, ADA);
    expect(errors.map(({ message }) => message.slice(0, 44))).toEqual(['Received a response for an unknown message I']);
    await expectUndisturbed(leg);
  });

  it.each([
    ['null', null],
    ['a fraction', 1.5],
    ['an object', {}],
  ])('is reported, and disturbs nothing, where its id is %s', async (_, id) => {
    const { peer, errors, run } = session;
    await run();
    const leg = await peer.next();
    await peer.answer({ id }, ADA);
    expect(errors.map(({ message }) => message.slice(0, 20))).toEqual(['Unknown message type']);
    await expectUndisturbed(leg);
  });

  it('is dropped where the question has been answered: the first answer counts', async () => {
    const { peer, run } = session;
    await run();
    const leg = await peer.next();
    await peer.answer(leg, ADA);
    await peer.answer(leg, { action: 'accept', content: { name: 'Eve' } });
    await peer.answerError(leg, -1);
    expect(textOf(await peer.next())).toBe('Hello Ada');
    await peer.answer(leg, { action: 'decline' });
    expect(countOf('late-answer')).toBe(3);
    await expectNothingLeft(session);
  });

  it('is dropped where the call has been cancelled', async () => {
    const { peer, run, runs } = session;
    const id = await run();
    const leg = await peer.next();
    await peer.cancel(id);
    await peer.next();
    await peer.answer(leg, ADA);
    await settle();
    expect([countOf('late-answer'), runs()]).toEqual([1, 1]);
    await expectNothingLeft(session);
  });

  it('is dropped ten thousand times over', async () => {
    const { peer, run } = session;
    await run();
    const leg = await peer.next();
    for (let stray = 0; stray < 10_000; stray += 1) await peer.answer({ id: `${leg['id']}.${stray}` }, ADA);
    expect(countOf('late-answer')).toBe(10_000);
    await expectUndisturbed(leg);
  });

  it('leaves nothing behind when it comes before any call', async () => {
    const { peer } = session;
    await peer.answer({ id: 'dual-era-x.1.1.1' }, ADA);
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    await expectUndisturbed(await peer.next());
  });
});
