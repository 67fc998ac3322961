import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { LOG_LEVEL } from './malformed-request.ts';
import { callOf, modern, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const CALLS = [
  ['elicitInput', 'elicitation/create'],
  ['createMessage', 'sampling/createMessage'],
  ['listRoots', 'roots/list'],
  ['sendRequest', 'elicitation/create'],
] as const;
const DECLARED: readonly (readonly [string, Json])[] = [
  ['everything', { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }],
  ['nothing', {}],
];

describeModern('[M2h] [F53] a handler that asks in mid-body and goes on, for a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'push', sdk });
  });
  afterAll(() => session.close());

  const meta = { [LOG_LEVEL]: 'debug', progressToken: 'p' };
  /** The event, and what the handler did, in whatever order they were told. */
  const takeReports = async (): Promise<Json> => {
    const reports: Json = {};
    while (!('acted' in reports && 'failed' in reports && 'event' in reports)) {
      Object.assign(reports, await session.reports.next());
    }
    return reports;
  };
  const expectNothingMore = async () => {
    const { notifications, answer } = await session.tell(callOf('echo', { text: 'after' }));
    expect([notifications, textOf(answer)]).toEqual([[], 'after']);
  };

  for (const [declared, capabilities] of DECLARED) {
    it.each(CALLS)(
      `is ended at once by %s, and nothing that it does later arrives: ${declared} declared`,
      async (how, method) => {
        const request = callOf('push', { how }, { capabilities, meta });
        const { notifications, answer } = await session.tell(request);
        expect(answer).toStrictEqual({
          jsonrpc: '2.0',
          id: request['id'],
          error: { code: -32603, message: expect.stringContaining(method) },
        });
        expect(answer['error'].message).toMatch(/inputRequired.*docs\/[a-z-]+\.md/);
        expect(notifications).toEqual([]);
        const reports = await takeReports();
        expect(reports).toMatchObject({ failed: how, isAborted: true, acted: how });
        expect(reports['event']).toMatchObject({
          type: 'error',
          method: 'tools/call',
          target: 'push',
          message: expect.stringContaining(method),
        });
        await expectNothingMore();
      },
    );
  }

  it('names a prompt too', async () => {
    const request = modern('prompts/get', { name: 'push', arguments: { how: 'elicitInput' } }, { meta });
    const { answer } = await session.tell(request);
    expect(answer['error']).toMatchObject({ code: -32603 });
    expect(await takeReports()).toMatchObject({ event: { type: 'error', method: 'prompts/get', target: 'push' } });
    await expectNothingMore();
  });
});
