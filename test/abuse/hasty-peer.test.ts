import type { DualEraEvent } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, form, roots } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';

/** Has the peer act on each question within the very `send` that brings it. */
function actAtOnce({ near }: PlaySession, act: (leg: Json) => Json): void {
  const receive = near.onmessage;
  near.onmessage = (message, extra) => {
    receive?.(message, extra);
    if ('method' in message && 'id' in message) void near.send(act(message) as never);
  };
}

const refuse = (leg: Json): Json => ({ jsonrpc: '2.0', id: leg['id'], error: { code: -1, message: 'no' } });
const cancel = (): Json => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });

describe.each(['sequential', 'concurrent'] as const)(
  'a peer that acts before the whole round is out (%s legs)',
  (legs) => {
    let session: PlaySession;
    afterEach(() => session.close());

    it.each([
      ['[H5b] answers the first question with an error', refuse],
      ['[H5a] cancels the call at the first question', cancel],
    ])('%s: no dialog is left open', async (_, act) => {
      session = await openPlay(() => ask({ a: form('A?'), b: form('B?'), c: roots() }), { options: { legs } });
      actAtOnce(session, act);
      await session.run('tools/call', 1);
      await settle();
      const messages = await session.peer.rest(0);
      const asked = messages.filter((message) => 'id' in message && 'method' in message);
      const closed = messages.filter(({ method }) => method === 'notifications/cancelled');
      // Every question but the one that was answered is taken back, or was never put.
      const open = asked.map(({ id }) => id).filter((id) => !closed.some(({ params }) => params.requestId === id));
      expect(open).toEqual(act === refuse ? [asked[0]?.['id']] : []);
      expect(session.runs()).toBe(1);
      await expectNothingLeft(session);
    });

    it('answers a question on hearing that another is taken back: each has ended once', async () => {
      const ends: unknown[] = [];
      const onEvent = (event: DualEraEvent): void => {
        if (event.type === 'leg-end') ends.push([event.key, event.outcome]);
      };
      session = await openPlay(() => ask({ a: roots(), b: roots() }), { options: { legs, onEvent } });
      const { near, peer } = session;
      await session.run('tools/call', 1);
      const asked = legs === 'concurrent' ? [await peer.next(), await peer.next()] : [await peer.next()];
      const last = asked.at(-1)?.['id'];
      const receive = near.onmessage;
      near.onmessage = (message, extra) => {
        receive?.(message, extra);
        if ('method' in message) void near.send({ jsonrpc: '2.0', id: last, result: { roots: [] } } as never);
      };
      await peer.cancel(1);
      await settle();
      expect(ends).toEqual(asked.map((_, index) => [['a', 'b'][index], 'call-cancelled']));
      expect((await peer.rest(0)).map(({ method }) => method)).toEqual(asked.map(() => 'notifications/cancelled'));
      await expectNothingLeft(session);
    });

    it('answers each question at once: the handler runs again once, with all answers', async () => {
      session = await openPlay(
        (context) =>
          context.round === 0
            ? ask({ a: roots(), b: roots(), c: roots() })
            : Object.keys(context.responses ?? {}).join(),
        { options: { legs } },
      );
      actAtOnce(session, (leg) => ({ jsonrpc: '2.0', id: leg['id'], result: { roots: [] } }));
      await session.run();
      await settle();
      const messages = await session.peer.rest(0);
      expect(messages.at(-1)?.['result'].content[0].text).toBe('a,b,c');
      expect(session.runs()).toBe(2);
      await expectNothingLeft(session);
    });
  },
);
