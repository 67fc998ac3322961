import { expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/json.ts';
import { openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const YES: Json = { action: 'accept', content: { confirmed: true } };

it('[A10] decisions on several texts under one key all hold for the rest of the call', async () => {
  const session = await openPlay((context) => {
    const decisions: string[] = [];
    for (const file of ['a', 'b', 'c']) {
      const { ask, decision } = context.confirm('sure', { message: `Erase ${file}?` });
      if (ask !== undefined) return ask;
      decisions.push(`${file} ${decision}`);
    }
    return decisions.join();
  });
  onTestFinished(session.close);
  await session.run();
  for (const file of ['a', 'b', 'c']) {
    const leg = await session.peer.next();
    expect(leg['params'].message).toBe(`Erase ${file}?`);
    await session.peer.answer(leg, YES);
  }
  expect(textOf(await session.peer.next())).toBe('a yes,b yes,c yes');
});

it.each([true, false])(
  '[A10] a decision under one key is none under another, of the same text: ticked %s',
  async (ticked) => {
    const session = await openPlay((context) => {
      const decisions: string[] = [];
      for (const key of ['once', 'again']) {
        const { ask, decision } = context.confirm(key, { message: 'Erase it?' });
        if (ask !== undefined) return ask;
        decisions.push(`${key} ${decision}`);
      }
      return decisions.join();
    });
    onTestFinished(session.close);
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept', content: { confirmed: ticked } });
    await session.peer.answer(await session.peer.next(), { action: 'decline' });
    expect(textOf(await session.peer.next())).toBe(`once ${ticked ? 'yes' : 'no'},again no`);
  },
);
