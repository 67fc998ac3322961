import { acceptedContent, inputResponse } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', ''];

/** An object whose own member `key` is `value`, whatever the key. */
const withOwn = (key: string, value: unknown): Json => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);

describe.each(METHODS)('[F50] [S7] a question under a key that every object inherits, %s', (method) => {
  let session: PlaySession;
  afterEach(() => session.close());

  it.each(KEYS)('is asked, and its answer is read as an own member: %j', async (key) => {
    session = await openPlay((context) => {
      if (context.round === 0) return ask(withOwn(key, form()));
      const { responses = {} } = context;
      const others = KEYS.filter((other) => other !== key).map((other) => context.response(other).kind);
      return JSON.stringify([Object.keys(responses), context.accepted(key), others]);
    });
    const { peer, run } = session;
    await run(method);
    await peer.answer(await peer.next(), ADA);
    expect(JSON.parse(textOf(await peer.next()))).toEqual([
      [key],
      { name: 'Ada' },
      ['missing', 'missing', 'missing', 'missing', 'missing'],
    ]);
    expect(({} as Json)['name']).toBeUndefined();
    await expectNothingLeft(session);
  });

  it.each(KEYS)('is remembered under its own name when it is declined: %j', async (key) => {
    session = await openPlay(() => ask(withOwn(key, form())));
    const { peer, run, runs } = session;
    await run(method);
    await peer.answer(await peer.next(), { action: 'decline' });
    const answer = await peer.next();
    const outcome = answer['error']?.data ?? answer['result']._meta['mcp-dual-era/outcome'];
    expect([outcome.reason, outcome.key, runs()]).toEqual(['declined', key, 2]);
  });
});

describe('[F50] a form with a field that every object inherits', () => {
  it.each(['__proto__', 'constructor', 'toString'])('is answered through own members only: %s', async (name) => {
    const schema = { type: 'object', properties: withOwn(name, { type: 'string' }), required: [name] };
    const session = await openPlay((context) =>
      context.round < 2 ? ask({ q: form('Your name?', schema) }) : JSON.stringify(context.response('q')),
    );
    const { peer, run } = session;
    await run();
    await peer.answer(await peer.next(), { action: 'accept', content: {} });
    const second = await peer.next();
    expect(second['params'].message).toBe('Your name?');
    await peer.answer(second, { action: 'accept', content: withOwn(name, 'Ada') });
    expect(textOf(await peer.next())).toBe(`{"kind":"elicit","action":"accept","content":{"${name}":"Ada"}}`);
    await session.close();
  });
});

describe('[F50] [S7] the readers of raw answers', () => {
  it.each(KEYS)('read no inherited member: %j', (key) => {
    expect(inputResponse({}, key)).toEqual({ kind: 'missing' });
    expect(acceptedContent({}, key)).toBeUndefined();
    expect(inputResponse(Object.create({ [key]: ADA }), key)).toEqual({ kind: 'missing' });
  });

  it.each(KEYS)('read an own member: %j', (key) => {
    expect(inputResponse(withOwn(key, ADA), key)).toEqual({
      kind: 'elicit',
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(acceptedContent(withOwn(key, ADA), key)).toEqual({ name: 'Ada' });
  });

  it.each([
    ['null', null],
    ['an array', [ADA]],
    ['a string', 'who'],
    ['a number', 5],
  ])('read nothing out of %s', (_, raw) => {
    expect(inputResponse(raw as never, '0')).toEqual({ kind: 'missing' });
  });
});
