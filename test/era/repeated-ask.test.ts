import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, roots, told, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import type { Peer } from '../support/peer.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const DECLINE: Json = { action: 'decline' };
const CANCEL: Json = { action: 'cancel' };

/** Plays a script, answering each question with what is next in `answers`; returns the end and how many were asked. */
async function run(peer: Peer, script: readonly unknown[], answers: readonly Json[]) {
  await play(peer, script);
  const messages: string[] = [];
  for (;;) {
    const message = await peer.next();
    if (!('method' in message)) return { end: message, messages };
    messages.push(message['params'].message);
    await peer.answer(message, answers[messages.length - 1] ?? answers.at(-1));
  }
}

const forever = (asked: Json): Json[] => Array.from({ length: 20 }, () => asked);

describe('a handler that asks the same question again', () => {
  it.each([
    ['decline', DECLINE, 'declined', 'its question was declined'],
    ['cancel', CANCEL, 'cancelled', 'its question was dismissed'],
  ])('prompts the person once when the answer is %s', async (_name, answer, reason, text) => {
    const { peer, runs } = await clockSession(CAPABLE);
    const { end, messages } = await run(peer, forever(ask({ who: form() })), [answer]);
    expect(messages).toEqual(['Your name?']);
    expect(outcomeOf(end)).toEqual({ reason, method: 'tools/call', target: 'script', round: 2, key: 'who' });
    expect(end['result'].content[0].text).toBe(`The tool script was not completed: ${text} (the question is "who").`);
    expect(runs).toEqual(['script', 'script']);
  });

  it.each(METHODS.slice(1))('prompts the person once in %s', async (method) => {
    const { peer } = await clockSession(CAPABLE);
    await peer.request(method, scriptParams(method, forever(ask({ who: form() })).slice(0, 3)));
    await peer.answer(await peer.next(), DECLINE);
    const answer = await peer.next();
    expect(answer['error'].code).toBe(-32603);
    expect(answer['error'].data).toMatchObject({ reason: 'declined', method, round: 2, key: 'who' });
  });

  it('prompts once for a URL', async () => {
    const { peer } = await clockSession(CAPABLE);
    const { end, messages } = await run(peer, forever(ask({ auth: url() })), [CANCEL]);
    expect(messages).toEqual(['Sign in']);
    expect(outcomeOf(end)).toMatchObject({ reason: 'cancelled', key: 'auth' });
  });

  it('prompts once when the declined question comes back among others', async () => {
    const { peer } = await clockSession(CAPABLE);
    const script = [ask({ a: form('A?'), b: form('B?') }), ask({ c: form('C?'), b: form('B?') })];
    const { end, messages } = await run(peer, script, [ADA, DECLINE]);
    expect(messages).toEqual(['A?', 'B?']);
    expect(outcomeOf(end)).toMatchObject({ reason: 'declined', key: 'b', round: 2 });
  });

  it('may ask again what was answered', async () => {
    const { peer } = await clockSession(CAPABLE);
    const { end, messages } = await run(peer, [ask({ who: form() }), ask({ who: form() })], [ADA]);
    expect(messages).toHaveLength(2);
    expect(told(end)['round']).toBe(2);
  });

  it('may ask for the roots again', async () => {
    const { peer } = await clockSession(CAPABLE);
    const { end } = await run(peer, [ask({ where: roots() }), ask({ where: roots() })], [{ roots: [] }]);
    expect(told(end)['round']).toBe(2);
  });

  it('is left to maxRounds with onRepeatedAsk: allow', async () => {
    const { peer } = await clockSession(CAPABLE, { options: { onRepeatedAsk: 'allow', maxRounds: 3 } });
    const { end, messages } = await run(peer, forever(ask({ who: form() })), [DECLINE]);
    expect(messages).toHaveLength(3);
    expect(outcomeOf(end)).toMatchObject({ reason: 'rounds-exceeded', round: 4 });
  });

  it('prompts the person once over HTTP', async () => {
    const { peer } = await session('http', CAPABLE);
    const { end, messages } = await run(peer, forever(ask({ who: form() })), [DECLINE]);
    expect(messages).toEqual(['Your name?']);
    expect(outcomeOf(end)).toMatchObject({ reason: 'declined', round: 2 });
  });
});

describe('the same question', () => {
  const noted = (note: string): Json => {
    const question = form();
    question['params'].note = note;
    return ask({ who: question });
  };

  it('is the same with another note', async () => {
    const { peer } = await clockSession(CAPABLE);
    const { end, messages } = await run(peer, [noted('First try.'), noted('Second try.')], [DECLINE]);
    expect(messages).toEqual(['Your name?\n\nFirst try.']);
    expect(outcomeOf(end)).toMatchObject({ reason: 'declined', key: 'who' });
  });

  it('is the same with its members in another order', async () => {
    const { peer } = await clockSession(CAPABLE);
    const { method, params } = form();
    const turned = Object.fromEntries(Object.entries(params as Json).reverse());
    const script = [ask({ who: form() }), ask({ who: { params: turned, method } })];
    expect(outcomeOf((await run(peer, script, [DECLINE])).end)).toMatchObject({ reason: 'declined' });
  });

  it('[H11d] sends its note as a part of the message only', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, [noted('It must not be empty.')]);
    const leg = await peer.next();
    expect(leg['params']).toEqual({
      mode: 'form',
      message: 'Your name?\n\nIt must not be empty.',
      requestedSchema: form()['params'].requestedSchema,
    });
    await peer.answer(leg, ADA);
    await peer.next();
  });

  it.each([
    ['key', ask({ other: form() })],
    ['message', ask({ who: form('Your full name?') })],
    ['schema', ask({ who: form('Your name?', { type: 'object', properties: { name: { type: 'string' } } }) })],
    ['method', ask({ who: url('Your name?') })],
  ])('is another one with another %s', async (_name, second) => {
    const { peer } = await clockSession(CAPABLE);
    const { end, messages } = await run(peer, [ask({ who: form() }), second], [DECLINE]);
    expect(messages).toHaveLength(2);
    expect(told(end)['round']).toBe(2);
  });

  it('is not noticed when its text has the time in it: maxRounds ends that call (F24)', async () => {
    const { peer } = await clockSession(CAPABLE);
    const script = Array.from({ length: 20 }, (_value, minute) =>
      ask({ who: form(`It is 12:0${minute}. Your name?`) }),
    );
    const { end, messages } = await run(peer, script, [DECLINE]);
    expect(messages).toHaveLength(8);
    expect(outcomeOf(end)).toMatchObject({ reason: 'rounds-exceeded', round: 9 });
  });
});
