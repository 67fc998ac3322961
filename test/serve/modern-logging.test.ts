import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { LOG_LEVEL } from './malformed-request.ts';
import { callOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession, serveModern } from './modern-session.ts';

const levelsOf = (notifications: readonly Json[]) => notifications.map(({ params }) => params.level as string);

/** The two ways in which a handler of SDK v1 logs. */
const WAYS = ['server', 'extra'];

describeModern('[M1d] log messages to a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  const log = (how: string, level?: string) =>
    session.tell(callOf('log', { how }, { meta: level === undefined ? {} : { [LOG_LEVEL]: level } }));

  describe.each(WAYS)('through the %s', (how) => {
    it('are not sent where the request names no level', async () => {
      const { notifications, answer } = await log(how);
      expect([notifications, textOf(answer)]).toEqual([[], 'logged']);
    });

    it.each([
      ['debug', ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']],
      ['warning', ['warning', 'error', 'critical', 'alert', 'emergency']],
      ['emergency', ['emergency']],
    ])('are those of %s and above where it names that', async (level, levels) => {
      const { notifications, answer } = await log(how, level);
      expect(levelsOf(notifications)).toEqual(levels);
      expect(notifications[0]).toStrictEqual({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level, logger: how, data: level },
      });
      expect(textOf(answer)).toBe('logged');
    });

    it('do not go by the level of the request before', async () => {
      expect(levelsOf((await log(how, 'alert')).notifications)).toEqual(['alert', 'emergency']);
      expect(levelsOf((await log(how)).notifications)).toEqual([]);
      expect(levelsOf((await log(how, 'emergency')).notifications)).toEqual(['emergency']);
    });

    it('go by the level of their own request where two run at once', async () => {
      const requests = ['critical', 'alert'].map((level) => callOf('log', { how }, { meta: { [LOG_LEVEL]: level } }));
      const plain = callOf('log', { how });
      await Promise.all([...requests, plain].map((request) => session.peer.send(request)));
      const heard: Json[] = [];
      for (let answers = 0; answers < 3; ) {
        const received = await session.peer.next();
        if ('result' in received) answers += 1;
        else heard.push(received);
      }
      expect(levelsOf(heard).sort()).toEqual(['alert', 'alert', 'critical', 'emergency', 'emergency']);
    });
  });
});

describe('a log message over HTTP', () => {
  it.each(WAYS)('is on the stream of its own request, and on no other: through the %s', async (how) => {
    const served = await serveModern({ factory: 'features' });
    const { client, peer } = served.connect();
    const asked = callOf('log', { how }, { meta: { [LOG_LEVEL]: 'alert' } });
    const others = [
      callOf('steps', { to: 1 }, { meta: { progressToken: 'p', [LOG_LEVEL]: 'debug' } }),
      callOf('log', { how }),
    ];
    await Promise.all([asked, ...others].map((request) => peer.send(request)));
    const streams = [asked, ...others].map(({ id }) => client.post(id));
    await Promise.all(streams.map(({ ended }) => ended));
    expect(streams.map(({ messages }) => messages.map(({ method, id }) => method ?? id))).toEqual([
      ['notifications/message', 'notifications/message', asked['id']],
      ['notifications/progress', others[0]?.['id']],
      [others[1]?.['id']],
    ]);
    await served.close();
  });
});
