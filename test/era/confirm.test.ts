import type { InputContext } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, type OpenPlaySettings, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const ERASE = { message: 'Erase all 12 files?' };
const YES: Json = { action: 'accept', content: { confirmed: true } };
const QUESTION: Json = {
  message: 'Erase all 12 files?',
  requestedSchema: {
    type: 'object',
    properties: { confirmed: { type: 'boolean', title: 'Yes' } },
    required: ['confirmed'],
  },
};

/** Each is what a client could answer, and none of them is an explicit accepted yes. */
const NO: readonly (readonly [string, unknown])[] = [
  ['unticked', { action: 'accept', content: { confirmed: false } }],
  ['declined', { action: 'decline' }],
  ['declined with a ticked box', { action: 'decline', content: { confirmed: true } }],
  ['cancelled', { action: 'cancel' }],
  ['cancelled with a ticked box', { action: 'cancel', content: { confirmed: true } }],
  ['accepted without content', { action: 'accept' }],
  ['accepted with null content', { action: 'accept', content: null }],
  ['accepted with empty content', { action: 'accept', content: {} }],
  ['accepted with another field', { action: 'accept', content: { confirm: true } }],
  ['the text true', { action: 'accept', content: { confirmed: 'true' } }],
  ['the number 1', { action: 'accept', content: { confirmed: 1 } }],
  ['a list of yes', { action: 'accept', content: { confirmed: ['true'] } }],
  ['a null box', { action: 'accept', content: { confirmed: null } }],
  ['a yes on the prototype', JSON.parse('{"action":"accept","content":{"__proto__":{"confirmed":true}}}')],
  ['content that is true', { action: 'accept', content: true }],
  ['an action that is none', { action: 'yes', content: { confirmed: true } }],
  ['an action in capitals', { action: 'ACCEPT', content: { confirmed: true } }],
  ['no answer to a form', { roots: [] }],
  ['an empty result', {}],
];

let session: PlaySession;
afterEach(() => session.close());

const start = async (play: (context: InputContext) => unknown, settings?: OpenPlaySettings) => {
  session = await openPlay(play, settings);
  return session;
};
const erase = (context: InputContext): unknown => {
  const { ask, decision } = context.confirm('sure', ERASE);
  return ask ?? decision;
};

describe.each(METHODS)('[A9] a confirmation, %s', (method) => {
  it('shows its text over one box to tick, without a default, and a ticked one is a yes', async () => {
    const { peer, run, runs } = await start(erase);
    await run(method);
    const leg = await peer.next();
    expect(leg).toMatchObject({ method: 'elicitation/create' });
    expect(leg['params']).toStrictEqual({ mode: 'form', ...QUESTION });
    await peer.answer(leg, YES);
    expect([textOf(await peer.next()), runs()]).toEqual(['yes', 2]);
    await expectNothingLeft(session);
  });

  it.each(NO)('is a no, asked once, when it is %s', async (_, answer) => {
    const { peer, run, runs } = await start(erase);
    await run(method);
    await peer.answer(await peer.next(), answer);
    expect([textOf(await peer.next()), runs()]).toEqual(['no', 2]);
    await expectNothingLeft(session);
  });

  it("is a no after an error answer with onFailedLeg: 'reenter'", async () => {
    const { peer, run, runs } = await start(erase, { options: { onFailedLeg: 'reenter' } });
    await run(method);
    await peer.answerError(await peer.next(), -32603);
    expect([textOf(await peer.next()), runs()]).toEqual(['no', 2]);
  });
});

describe('[A9] a confirmation', () => {
  it('ends the call after an error answer, and decides nothing', async () => {
    const { peer, run, runs } = await start(erase);
    await run();
    await peer.answerError(await peer.next(), -32603);
    expect((await peer.next())['result']).toMatchObject({ isError: true });
    expect(runs()).toBe(1);
  });

  it('goes out on revision 2025-06-18 without a mode', async () => {
    const { peer, run } = await start(erase, { revision: '2025-06-18' });
    await run();
    const leg = await peer.next();
    expect(leg['params']).toStrictEqual(QUESTION);
    await peer.answer(leg, YES);
    expect(textOf(await peer.next())).toBe('yes');
  });

  it('may have a title of its own beside the box', async () => {
    const { peer, run } = await start((context) => {
      const { ask, decision } = context.confirm('sure', { ...ERASE, title: 'I have a backup' });
      return ask ?? decision;
    });
    await run();
    const leg = await peer.next();
    expect(leg['params'].requestedSchema.properties).toEqual({
      confirmed: { type: 'boolean', title: 'I have a backup' },
    });
    await peer.answer(leg, YES);
    expect(textOf(await peer.next())).toBe('yes');
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('may have the key %j', async (key) => {
    const { peer, run } = await start((context) => {
      const { ask, decision } = context.confirm(key, ERASE);
      return ask ?? decision;
    });
    await run();
    await peer.answer(await peer.next(), YES);
    expect(textOf(await peer.next())).toBe('yes');
    await run();
    await peer.answer(await peer.next(), { action: 'decline' });
    expect(textOf(await peer.next())).toBe('no');
    expect(({} as Json)['sure']).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{}, 'undefined and "Yes"'],
    [{ message: 1 }, '1 and "Yes"'],
    [{ message: null }, 'null and "Yes"'],
    [{ message: 'x', title: 1 }, '"x" and 1'],
    [{ message: 'x', title: null }, '"x" and null'],
  ])('needs a text to show: %j', async (input, got) => {
    const { peer, run } = await start((context) => {
      try {
        return context.confirm('sure', input as never).ask;
      } catch (error) {
        return error instanceof TypeError ? error.message : 'no TypeError';
      }
    });
    await run();
    expect(textOf(await peer.next())).toBe(`confirm needs a message to show, got ${got}`);
  });
});
