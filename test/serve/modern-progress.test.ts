import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

describeModern('[M1c] progress to a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  it.each([
    ['a text', 'token'],
    ['a number', 7],
    ['0', 0],
  ])('comes in order, before the result, under a token that is %s', async (_name, progressToken) => {
    const request = callOf('steps', { to: 4 }, { meta: { progressToken } });
    const { notifications, answer } = await session.tell(request);
    expect(notifications).toStrictEqual(
      [1, 2, 3, 4].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 4 },
      })),
    );
    expect(textOf(answer)).toBe('done');
    // Nothing comes behind the result: the next message is the next answer.
    const next = await session.tell(callOf('echo', { text: 'after' }));
    expect([next.notifications, textOf(next.answer)]).toEqual([[], 'after']);
  });

  it('keeps to the token of its request where two run at once', async () => {
    const requests = ['left', 'right'].map((progressToken) => callOf('steps', { to: 3 }, { meta: { progressToken } }));
    await Promise.all(requests.map((request) => session.peer.send(request)));
    const heard: Json[] = [];
    for (let answers = 0; answers < 2; ) {
      const received = await session.peer.next();
      heard.push(received);
      if ('result' in received) answers += 1;
    }
    for (const progressToken of ['left', 'right']) {
      const own = heard.filter(({ params }) => params?.progressToken === progressToken);
      expect(own.map(({ params }) => params.progress)).toEqual([1, 2, 3]);
    }
  });
});
