import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

describe('field reports about answers', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  const tellOnce = async (question: Json) => {
    session = await openPlay((context) =>
      context.round === 0
        ? ask({ q: question })
        : JSON.stringify([context.elicitResult('q'), context.accepted('q') ?? null]),
    );
    return session;
  };

  it.each([
    ['a decline', form(), { action: 'decline' }, [{ action: 'decline' }, null]],
    ['a cancel', form(), { action: 'cancel' }, [{ action: 'cancel' }, null]],
    ['a decline with empty content', form(), { action: 'decline', content: {} }, [{ action: 'decline' }, null]],
    ['a decline with content', form(), { action: 'decline', content: { name: 'Ada' } }, [{ action: 'decline' }, null]],
    ['a cancel with null content', form(), { action: 'cancel', content: null }, [{ action: 'cancel' }, null]],
    ['a decline with null content', form(), { action: 'decline', content: null }, [{ action: 'decline' }, null]],
    ['an accept of a URL', url(), { action: 'accept' }, [{ action: 'accept' }, null]],
    ['an accept of a URL with null content', url(), { action: 'accept', content: null }, [{ action: 'accept' }, null]],
    ['a decline of a URL', url(), { action: 'decline' }, [{ action: 'decline' }, null]],
  ])('[F23] %s is an ordinary answer', async (_, question, answer, expected) => {
    const { peer, run } = await tellOnce(question);
    await run();
    await peer.answer(await peer.next(), answer);
    expect(JSON.parse(textOf(await peer.next()))).toMatchObject(expected);
    await expectNothingLeft(session);
  });

  it('[F23] [H6b] an accept with null content has no content, and may be asked for twice more', async () => {
    session = await openPlay((context) => ask({ q: form() }, context.elicitResult('q') ?? 0));
    const { peer, run, runs } = session;
    await run();
    for (let time = 0; time < 3; time += 1) await peer.answer(await peer.next(), { action: 'accept', content: null });
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'repeated-ask', round: 4, key: 'q' });
    expect(runs()).toBe(4);
  });

  it.each(METHODS)(
    '[F30] [R4] an error answer to a question of %s is no crash and no consent, but an end with its code',
    async (method) => {
      for (const code of [-32601, -32602, -1, -32042]) {
        session = await openPlay(() => ask({ q: sampling() }));
        const { peer, run, runs } = session;
        await run(method);
        await peer.answerError(await peer.next(), code, 'User rejected sampling request');
        const answer = await peer.next();
        expect(outcomeOf(answer)).toMatchObject({ reason: 'client-error', code, key: 'q', round: 1, method });
        expect(answer['error']?.code ?? answer['result'].isError).toBe(method === 'tools/call' ? true : -32603);
        expect(runs()).toBe(1);
        await expectNothingLeft(session);
      }
    },
  );

  const schema = {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 2 },
      where: { type: 'string', enum: ['staging', 'production'] },
    },
    required: ['count', 'where'],
  };

  it.each([
    ['[F32] empty content', {}],
    ['[F32] a wrong type', { count: '3', where: 'staging' }],
    ['[F32] a fraction for an integer', { count: 2.5, where: 'staging' }],
    ['[F32] a value below the minimum', { count: 1, where: 'staging' }],
    ['[F32] no content at all', undefined],
    ['[F33] a choice that is not offered', { count: 3, where: 'moon' }],
    ['[F33] a choice that every object inherits', { count: 3, where: 'constructor' }],
  ])('%s is not accepted, is asked for at most twice again, and then ends clearly', async (_, content) => {
    const seen: unknown[] = [];
    session = await openPlay((context) => {
      if (context.round > 0) seen.push(context.accepted('q'));
      return ask({ q: form('Deploy?', schema) });
    });
    const { peer, run, runs } = session;
    await run();
    const answer = content === undefined ? { action: 'accept' } : { action: 'accept', content };
    for (let time = 0; time < 3; time += 1) await peer.answer(await peer.next(), answer);
    const end = await peer.next();
    expect(outcomeOf(end)).toMatchObject({ reason: 'repeated-ask', key: 'q', round: 4 });
    expect(end['result'].isError).toBe(true);
    expect([seen, runs()]).toEqual([[undefined, undefined, undefined], 4]);
    await expectNothingLeft(session);
  });

  it('[F32] [F33] [H11c] [S14] a good answer after two bad ones is accepted', async () => {
    session = await openPlay((context) => {
      const accepted = context.accepted('q');
      return accepted === undefined ? ask({ q: form() }) : JSON.stringify(accepted);
    });
    const { peer, run, runs } = session;
    await run();
    await peer.answer(await peer.next(), { action: 'accept', content: { name: 5 } });
    await peer.answer(await peer.next(), { action: 'accept', content: {} });
    await peer.answer(await peer.next(), ADA);
    expect([textOf(await peer.next()), runs()]).toEqual(['{"name":"Ada"}', 4]);
  });
});
