import { describe, expect, it } from 'vitest';
import { wideObject } from '../core/quick.ts';
import { ask, form, outcomeOf, roots, sampling } from '../support/asks.ts';
import { openSession } from '../support/open.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';

const MEGABYTE = 'x'.repeat(1_000_000);
const LARGE = 'x'.repeat(262_000);

describe('a large answer', () => {
  it.each([
    ['form', form(), { action: 'accept', content: { name: LARGE } }, 'elicit'],
    ['sampling', sampling(), { role: 'assistant', model: 'm', content: { type: 'text', text: MEGABYTE } }, 'sampling'],
    ['roots', roots(), { roots: [{ uri: `file:///${MEGABYTE}` }] }, 'roots'],
  ])('reaches the handler whole: %s', async (_, question, answer, kind) => {
    const session = await openPlay((context) =>
      context.round === 0
        ? ask({ q: question })
        : JSON.stringify([context.response('q').kind, JSON.stringify(context.response('q')).length > 262_000]),
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), answer);
    expect(textOf(await session.peer.next())).toBe(`["${kind}",true]`);
    await expectNothingLeft(session);
    await session.close();
  });

  it('is refused unread where the form allows less', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } };
    const session = await openPlay((context) =>
      context.round === 0 ? ask({ q: form('Your name?', schema) }) : JSON.stringify(context.response('q')),
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept', content: { name: LARGE } });
    expect(textOf(await session.peer.next())).toBe(
      '{"kind":"invalid","issues":[{"path":"name","message":"must have at most 20 characters"}]}',
    );
    await session.close();
  });

  it.each(['stdio', 'http'] as const)('reaches the handler over %s', async (transport) => {
    const { peer, close } = await openSession(transport, { capabilities: { elicitation: {} } });
    await peer.request('tools/call', scriptParams('tools/call', [ask({ q: form() })]));
    await peer.answer(await peer.next(), { action: 'accept', content: { name: LARGE } });
    const told = JSON.parse((await peer.next())['result'].content[0].text);
    expect(told.responses.q.content.name).toHaveLength(262_000);
    await close();
  });
});

/** As JSON text: some of these are only made by a parser. */
const HOSTILE: readonly (readonly [string, () => string])[] = [
  ['a text of a megabyte', () => `{"name":"${MEGABYTE}"}`],
  ['10 000 members', () => JSON.stringify({ ...wideObject(10_000, 'v'), name: 'Ada' })],
  ['a name of a megabyte', () => `{"name":"Ada","${MEGABYTE}":true}`],
  ['a list of a million', () => JSON.stringify({ name: 'Ada', list: Array(1_000_000).fill('') })],
  ['1 000 levels', () => `{"name":"Ada","deep":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
];

describe('[A7] a hostile answer to a form', () => {
  it.each(HOSTILE)('reads as malformed, in bounded time: %s', async (_, content) => {
    const session = await openPlay((context) =>
      context.round === 0
        ? ask({ q: form() })
        : JSON.stringify([context.response('q'), context.responses ?? null, context.accepted('q') ?? null]),
    );
    await session.run();
    const leg = await session.peer.next();
    const answer = JSON.parse(`{"action":"accept","content":${content()}}`);
    const before = performance.now();
    await session.peer.answer(leg, answer);
    expect(textOf(await session.peer.next())).toBe('[{"kind":"failed","reason":"malformed"},null,null]');
    expect(performance.now() - before).toBeLessThan(5_000);
    await expectNothingLeft(session);
    await session.close();
  });

  it.each(HOSTILE)('over stdio reads as malformed, and the server goes on: %s', async (_, content) => {
    const { peer, close } = await openSession('stdio', { capabilities: { elicitation: {} } });
    await peer.request('tools/call', scriptParams('tools/call', [ask({ q: form() })]));
    await peer.answer(await peer.next(), JSON.parse(`{"action":"accept","content":${content()}}`));
    const told = JSON.parse((await peer.next())['result'].content[0].text);
    expect([told.views, told.responses]).toEqual([{ q: { kind: 'failed', reason: 'malformed' } }, null]);
    await peer.callTool('echo', { text: 'still here' });
    expect((await peer.next())['result'].content[0].text).toBe('still here');
    await close();
  });

  it('may be asked for twice more, as any malformed one', async () => {
    const session = await openPlay(() => ask({ q: form() }));
    await session.run();
    for (let time = 0; time < 3; time += 1) {
      await session.peer.answer(await session.peer.next(), { action: 'accept', content: wideObject(10_000, 'v') });
    }
    expect(outcomeOf(await session.peer.next())).toMatchObject({ reason: 'malformed', round: 4, key: 'q' });
    await session.close();
  });

  it.each(['memory', 'stdio'] as const)('with a __proto__ of its own is not accepted (%s)', async (transport) => {
    const { peer, close } = await openSession(transport, { capabilities: { elicitation: {} } });
    await peer.request('tools/call', scriptParams('tools/call', [ask({ q: form() })]));
    const answer = JSON.parse('{"action":"accept","content":{"name":"Ada","__proto__":"polluted"}}');
    await peer.answer(await peer.next(), answer);
    const told = JSON.parse((await peer.next())['result'].content[0].text);
    expect(told.views).toEqual({
      q: { kind: 'invalid', issues: [{ path: '__proto__', message: 'is no field of the form' }] },
    });
    await close();
  });
});
