import { type InputContext, inputRequired } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask as asking, form, outcomeOf } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, type OpenPlaySettings, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const YES: Json = { action: 'accept', content: { confirmed: true } };
const NO: Json = { action: 'decline' };

let session: PlaySession;
afterEach(() => session.close());

const start = async (play: (context: InputContext) => unknown, settings?: OpenPlaySettings) => {
  session = await openPlay(play, settings);
  await session.run();
  return session;
};

/** A handler that confirms what `texts` has for each of its runs, the last one for all further runs. */
const confirming = (texts: readonly string[]) => {
  let turn = 0;
  return (context: InputContext): unknown => {
    const message = texts[turn] ?? texts.at(-1) ?? '';
    turn += 1;
    const { ask, decision } = context.confirm('sure', { message });
    return ask ?? `${message} ${decision}`;
  };
};

describe('[A10] a text that has changed since it was shown', () => {
  it('is asked again: the yes was to another one', async () => {
    const { peer, runs } = await start(confirming(['Erase 12 files?', 'Erase 13 files?']));
    const first = await peer.next();
    expect(first['params'].message).toBe('Erase 12 files?');
    await peer.answer(first, YES);
    const second = await peer.next();
    expect(second['params'].message).toBe('Erase 13 files?');
    await peer.answer(second, YES);
    expect([textOf(await peer.next()), runs()]).toEqual(['Erase 13 files? yes', 3]);
  });

  it('may be refused then', async () => {
    const { peer } = await start(confirming(['Erase 12 files?', 'Erase 13 files?']));
    await peer.answer(await peer.next(), YES);
    await peer.answer(await peer.next(), NO);
    expect(textOf(await peer.next())).toBe('Erase 13 files? no');
  });

  it('is asked again after a refusal, which was of another one', async () => {
    const { peer } = await start(confirming(['Erase 12 files?', 'Erase 1 file?']));
    await peer.answer(await peer.next(), NO);
    await peer.answer(await peer.next(), YES);
    expect(textOf(await peer.next())).toBe('Erase 1 file? yes');
  });

  it.each([
    ['in its last character', 'Erase it?', 'Erase it!'],
    ['in the case of a letter', 'Erase it?', 'erase it?'],
    ['in a space', 'Erase it?', 'Erase it? '],
    ['to a text that looks the same', 'Erase café?', 'Erase cafe\u0301?'],
  ])('is asked again when it has changed %s', async (_, first, second) => {
    const { peer } = await start(confirming([first, second]));
    await peer.answer(await peer.next(), YES);
    const again = await peer.next();
    expect(again['params']?.message).toBe(second);
    await peer.answer(again, NO);
    await peer.next();
  });

  it('is asked again when the title beside the box has changed', async () => {
    let turn = 0;
    const { peer } = await start((context) => {
      turn += 1;
      const { ask, decision } = context.confirm('sure', { message: 'Go?', title: turn === 1 ? 'Yes' : 'No' });
      return ask ?? decision;
    });
    await peer.answer(await peer.next(), YES);
    const again = await peer.next();
    expect(again['params']?.requestedSchema.properties.confirmed.title).toBe('No');
    await peer.answer(again, YES);
    expect(textOf(await peer.next())).toBe('yes');
  });

  it('is asked anew where the other one has been decided in this call', async () => {
    const confirm = (context: InputContext, message: string) => context.confirm('sure', { message });
    const { peer } = await start((context) => {
      if (context.round === 0) return confirm(context, 'Erase one file?').ask;
      const isFirst = context.round === 1;
      if (isFirst && confirm(context, 'Erase one file?').decision !== 'yes') return 'the first was not read';
      const { ask, decision } = confirm(context, 'Erase all files?');
      return ask ?? decision;
    });
    await peer.answer(await peer.next(), YES);
    const second = await peer.next();
    expect(second['params']?.message).toBe('Erase all files?');
    await peer.answer(second, NO);
    expect(textOf(await peer.next())).toBe('no');
  });

  it('that changes each time is left to maxRounds', async () => {
    let turn = 0;
    const play = (context: InputContext): unknown => {
      turn += 1;
      const { ask, decision } = context.confirm('sure', { message: `Erase ${turn} files?` });
      return ask ?? decision;
    };
    const { peer } = await start(play, { options: { maxRounds: 3 } });
    for (let round = 0; round < 3; round += 1) await peer.answer(await peer.next(), YES);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', round: 4 });
  });
});

describe('[A10] an answer to another question', () => {
  it('under the same key is not read', async () => {
    const other = {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Show hidden files?',
        requestedSchema: { type: 'object', properties: { confirmed: { type: 'boolean', title: 'Yes' } } },
      },
    };
    const { peer } = await start((context) => {
      if (context.round === 0) return asking({ sure: other });
      const { ask, decision } = context.confirm('sure', { message: 'Erase all files?' });
      return ask ?? decision;
    });
    await peer.answer(await peer.next(), YES);
    const leg = await peer.next();
    expect(leg['params']?.message).toBe('Erase all files?');
    await peer.answer(leg, NO);
    expect(textOf(await peer.next())).toBe('no');
  });

  it('under another key is not read', async () => {
    const { peer } = await start((context) => {
      if (context.round === 0) return context.confirm('one', { message: 'Erase?' }).ask;
      const { ask, decision } = context.confirm('two', { message: 'Erase?' });
      return ask ?? decision;
    });
    await peer.answer(await peer.next(), YES);
    const leg = await peer.next();
    expect(leg['params']?.message).toBe('Erase?');
    await peer.answer(leg, NO);
    expect(textOf(await peer.next())).toBe('no');
  });

  it('that nobody asked is not read: inputResponses of a client mean nothing', async () => {
    session = await openPlay((context) => {
      const { ask, decision } = context.confirm('sure', { message: 'Erase?' });
      return ask ?? decision;
    });
    const { peer } = session;
    await peer.request('tools/call', { name: 'play', arguments: {}, inputResponses: { sure: YES }, requestState: 'x' });
    const leg = await peer.next();
    expect(leg).toMatchObject({ method: 'elicitation/create', params: { message: 'Erase?' } });
    await peer.answer(leg, NO);
    expect(textOf(await peer.next())).toBe('no');
  });

  it('of an earlier round is not read late', async () => {
    const { peer } = await start((context) => {
      if (context.round === 0) return context.confirm('sure', { message: 'Erase?' }).ask;
      if (context.round === 1) return asking({ q: form() });
      const { ask, decision } = context.confirm('sure', { message: 'Erase?' });
      return ask ?? decision;
    });
    await peer.answer(await peer.next(), YES);
    await peer.answer(await peer.next(), ADA);
    const again = await peer.next();
    expect(again['params']?.message).toBe('Erase?');
    await peer.answer(again, NO);
    expect(textOf(await peer.next())).toBe('no');
  });
});

describe('[A10] a decision', () => {
  const thenName = (context: InputContext): unknown => {
    const { ask, decision } = context.confirm('sure', { message: 'Erase?' });
    if (ask !== undefined) return ask;
    return context.round < 3 ? asking({ q: form(`Name ${context.round}?`) }) : `${decision} in round ${context.round}`;
  };

  it.each([
    ['yes', YES],
    ['no', NO],
    ['no', { action: 'accept' }],
    ['no', { action: 'maybe' }],
  ])('holds in later rounds of the call: %s', async (decision, answer) => {
    const { peer } = await start(thenName);
    await peer.answer(await peer.next(), answer);
    for (const message of ['Name 1?', 'Name 2?']) {
      const leg = await peer.next();
      expect(leg['params']?.message).toBe(message);
      await peer.answer(leg, ADA);
    }
    expect(textOf(await peer.next())).toBe(`${decision} in round 3`);
    await expectNothingLeft(session);
  });

  it('holds within the run that it was read in', async () => {
    const { peer } = await start((context) => {
      const first = context.confirm('sure', { message: 'Erase?' });
      return first.ask ?? `${first.decision} ${context.confirm('sure', { message: 'Erase?' }).decision}`;
    });
    await peer.answer(await peer.next(), YES);
    expect(textOf(await peer.next())).toBe('yes yes');
  });

  it('does not hold in the next call, nor in one beside it', async () => {
    const { peer, run } = await start(thenName);
    await run();
    const [one, two] = [await peer.next(), await peer.next()];
    expect([one, two].map(({ params }) => params.message)).toEqual(['Erase?', 'Erase?']);
    await peer.answer(one, YES);
    const named = await peer.next();
    expect(named['params'].message).toBe('Name 1?');
    await peer.answer(two, NO);
    for (const leg of [named, await peer.next()]) await peer.answer(leg, ADA);
    for (let leg = 0; leg < 2; leg += 1) await peer.answer(await peer.next(), ADA);
    const texts = [textOf(await peer.next()), textOf(await peer.next())].sort();
    expect(texts).toEqual(['no in round 3', 'yes in round 3']);
    await run();
    expect((await peer.next())['params']?.message).toBe('Erase?');
    await settle();
  });
});

describe('[A9] a confirmation beside other questions of its round', () => {
  it('is read beside their answers', async () => {
    const { peer } = await start((context) => {
      const sure = context.confirm('sure', { message: 'Erase?' });
      const backup = context.confirm('backup', { message: 'Is there a backup?' });
      const name = context.accepted('who');
      if (sure.ask === undefined && backup.ask === undefined && name !== undefined) {
        return `${name['name']} ${sure.decision} ${backup.decision}`;
      }
      const who = form() as never;
      return inputRequired({
        inputRequests: { ...sure.ask?.inputRequests, ...backup.ask?.inputRequests, who },
      });
    });
    const messages = [];
    for (const answer of [YES, NO, ADA]) {
      const leg = await peer.next();
      messages.push(leg['params'].message);
      await peer.answer(leg, answer);
    }
    expect(messages).toEqual(['Erase?', 'Is there a backup?', 'Your name?']);
    expect(textOf(await peer.next())).toBe('Ada yes no');
  });
});
