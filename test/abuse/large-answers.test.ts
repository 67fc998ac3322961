import { describe, expect, it } from 'vitest';
import { ask, form, roots, sampling } from '../support/asks.ts';
import { openSession } from '../support/open.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';

const MEGABYTE = 'x'.repeat(1_000_000);

describe('an answer of a megabyte', () => {
  it.each([
    ['form', form(), { action: 'accept', content: { name: MEGABYTE } }, 'elicit'],
    ['sampling', sampling(), { role: 'assistant', model: 'm', content: { type: 'text', text: MEGABYTE } }, 'sampling'],
    ['roots', roots(), { roots: [{ uri: `file:///${MEGABYTE}` }] }, 'roots'],
  ])('reaches the handler whole: %s', async (_, question, answer, kind) => {
    const session = await openPlay((context) =>
      context.round === 0
        ? ask({ q: question })
        : JSON.stringify([context.response('q').kind, JSON.stringify(context.response('q')).length > 1_000_000]),
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
    await session.peer.answer(await session.peer.next(), { action: 'accept', content: { name: MEGABYTE } });
    expect(textOf(await session.peer.next())).toBe(
      '{"kind":"invalid","issues":[{"path":"name","message":"must have at most 20 characters"}]}',
    );
    await session.close();
  });

  it('with a hundred thousand members is read', async () => {
    const content = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'v']));
    const session = await openPlay((context) =>
      context.round === 0 ? ask({ q: form() }) : context.response('q').kind,
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept', content: { ...content, name: 'Ada' } });
    expect(textOf(await session.peer.next())).toBe('elicit');
    await session.close();
  });

  it.each(['stdio', 'http'] as const)('reaches the handler over %s', async (transport) => {
    const { peer, close } = await openSession(transport, { capabilities: { elicitation: {} } });
    await peer.request('tools/call', scriptParams('tools/call', [ask({ q: form() })]));
    await peer.answer(await peer.next(), { action: 'accept', content: { name: MEGABYTE } });
    const told = JSON.parse((await peer.next())['result'].content[0].text);
    expect(told.responses.q.content.name).toHaveLength(1_000_000);
    await close();
  });
});
