import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askText } from './questions.ts';
import { type Act, actingFactory, firstCall, isAsk, serveReplay } from './replay-session.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Handlers that ask something nobody will ever answer. */
const HANDLERS: readonly (readonly [string, (act: Act) => Promise<string>])[] = [
  ['asks', (act) => askText(act, 'a')],
  ['asks three at once', async (act) => (await Promise.all(['a', 'b', 'c'].map((m) => askText(act, m)))).join(' ')],
  ['swallows the error', (act) => askText(act, 'a').catch(() => 'nobody')],
  ['asks again', (act) => askText(act, 'a').catch(() => askText(act, 'b'))],
  ['asks roots by its own request', async ({ server }) => JSON.stringify(await server.listRoots())],
];

for (const suspend of ['reject', 'pending'] as const) {
  describe(`[P2e] a client that never comes back, with suspend: ${suspend}`, () => {
    it.each(HANDLERS)('leaves no instance, no timer and no call of a handler that %s', async (_name, body) => {
      let open = 0;
      const factory = actingFactory(body);
      const served = serveReplay(
        async (context) => {
          const server = await factory(context);
          open += 1;
          ('server' in server ? server.server : server).onclose = () => {
            open -= 1;
          };
          return server;
        },
        { suspend },
      );
      const before = timers();
      for (let calls = 0; calls < 5; calls += 1) expect(isAsk((await served.tell(firstCall())).answer)).toBe(true);
      for (let turns = 0; turns < 10; turns += 1) await turn();
      expect(open).toBe(0);
      // Not one for each call; the test runner has some of its own.
      expect(timers()).toBeLessThan(before + 5);
      expect(served.handler.stats()).toMatchObject({ sessions: 0, modern: { inFlight: 0 } });
    });
  });
}
