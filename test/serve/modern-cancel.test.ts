import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { LOG_LEVEL } from './malformed-request.ts';
import { callOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

describeModern('[M1e] a modern request that its client gives up', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  it.each([
    ['a text', 'call'],
    ['a number', 4711],
    ['0', 0],
    ['the empty text', ''],
  ])('aborts the signal of its handler, and gets nothing more, under an id that is %s', async (_name, id) => {
    const request = callOf('wait', {}, { id, meta: { [LOG_LEVEL]: 'debug', progressToken: 'w' } });
    await session.peer.send(request);
    expect(await session.peer.next()).toMatchObject({ params: { progressToken: 'w', progress: 1 } });
    expect(await session.reports.next()).toMatchObject({ waiting: expect.anything() });
    await session.giveUp(id);
    // By now it has tried to send progress, a log message and its result.
    expect(await session.reports.next()).toEqual({ aborted: true });
    const { notifications, answer } = await session.tell(callOf('echo', { text: 'after' }));
    expect([notifications, textOf(answer)]).toEqual([[], 'after']);
  });

  it('leaves the others alone', async () => {
    const [left, right] = ['left', 'right'].map((id) => callOf('wait', {}, { id })) as [Json, Json];
    await session.peer.send(left);
    await session.peer.send(right);
    for (let waiting = 0; waiting < 2; waiting += 1) {
      expect(await session.peer.next()).toMatchObject({ params: { progress: 1 } });
      expect(await session.reports.next()).toHaveProperty('waiting');
    }
    await session.giveUp('left');
    expect(await session.reports.next()).toEqual({ aborted: true });
    const { answer } = await session.tell(callOf('echo', { text: 'meanwhile' }));
    expect(textOf(answer)).toBe('meanwhile');
    expect(session.reports.all.at(-1)).toEqual({ aborted: true });
    expect(await session.reports.rest(0)).toEqual([]);
    await session.giveUp('right');
    expect(await session.reports.next()).toEqual({ aborted: true });
  });

  it('leaves its id free again', async () => {
    const request = callOf('echo', { text: 'again' }, { id: 'call' });
    expect(textOf((await session.tell(request)).answer)).toBe('again');
  });
});
