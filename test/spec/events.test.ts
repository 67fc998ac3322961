import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, roots } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { openPlay, type PlaySession } from '../support/open-play.ts';

describe('[E1] the events of a call', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  const open = async () => {
    session = await openPlay((context) => (context.round < 2 ? ask({ who: form(), where: roots() }) : 'done'));
    return session;
  };
  const types = (): string => session.events.map(({ type }) => type).join(' ');
  const ROUND = 'round-start leg-start leg-end leg-start leg-end round-end';

  it('come in their order, with one callId through all rounds', async () => {
    const { peer, run, events } = await open();
    await run();
    for (let round = 0; round < 2; round += 1) {
      await peer.answer(await peer.next(), ADA);
      await peer.answer(await peer.next(), { roots: [] });
    }
    await peer.next();
    expect(types()).toBe(`${ROUND} ${ROUND} hold-end`);
    expect(new Set(events.map((event) => 'callId' in event && event.callId)).size).toBe(1);
    expect(events.at(-1)).toMatchObject({ outcome: 'answered', rounds: 2, handlerRan: true, target: 'play' });
  });

  it.each([
    ['is cancelled', async ({ peer }: PlaySession) => void (await peer.cancel(7))],
    ['times out', ({ clock }: PlaySession) => clock.advance(600_000)],
    ['loses its connection', ({ near }: PlaySession) => near.close()],
  ])('end with its hold-end when it %s', async (_, end) => {
    const { peer, run } = await open();
    await run('tools/call', 7);
    await peer.next();
    await end(session);
    await settle();
    expect(types()).toBe('round-start leg-start leg-end round-end hold-end');
  });

  it('hold nothing of what was asked or answered, and nobody', async () => {
    const { peer, run, events } = await open();
    await run();
    await peer.answer(await peer.next(), ADA);
    await peer.answer(await peer.next(), { roots: [{ uri: 'file:///secret' }] });
    await peer.next();
    expect(JSON.stringify(events)).not.toMatch(/Ada|Your name|secret|client/);
  });
});
