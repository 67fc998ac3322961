import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { roots } from '../support/asks.ts';
import { sdkNamed } from '../support/sdk.ts';
import { answering, askText, shouting } from './questions.ts';
import { type Act, eventsOf, firstCall, isAsk, play, serveBody } from './replay-session.ts';

describe.each(['newest', 'oldest'] as const)("[P2b] with suspend: 'pending', a run that asks (%s SDK v1)", (sdk) => {
  const options = { suspend: 'pending' } as const;
  const { types } = sdkNamed(sdk);

  const ASKS: readonly (readonly [string, (act: Act) => Promise<unknown>])[] = [
    ['server.elicitInput', (act) => askText(act, 'a')],
    ['server.listRoots', ({ server }) => server.listRoots()],
    ['extra.sendRequest', ({ extra }) => extra.sendRequest(roots() as never, types.ListRootsResultSchema)],
    ['server.request', ({ server }) => server.request(roots() as never, types.ListRootsResultSchema)],
  ];

  it.each(ASKS)('never goes on after %s, in no catch and in no finally', async (_name, ask) => {
    const steps: string[] = [];
    const served = serveBody(
      async (act) => {
        steps.push('asked');
        try {
          await ask(act);
          return 'answered';
        } catch {
          steps.push('caught');
          return 'failed';
        } finally {
          steps.push('left');
        }
      },
      { sdk, options },
    );
    const { answer } = await served.tell(firstCall());
    expect(isAsk(answer)).toBe(true);
    await served.handler.close();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(steps).toEqual(['asked']);
    expect(served.events).toEqual([]);
  });

  it('never goes on where the client cannot be asked, and the call ends', async () => {
    const steps: string[] = [];
    const served = serveBody(
      async (act) => {
        await askText(act, 'a').finally(() => steps.push('left'));
        return 'answered';
      },
      { sdk, options },
    );
    const { answer } = await served.tell(firstCall(0, {}));
    expect(answer['error']).toMatchObject({ code: -32021 });
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(steps).toEqual([]);
  });

  it('never goes on in a part that asks later, and that is no mistake of its author', async () => {
    const steps: string[] = [];
    const later = async (act: Act) => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      steps.push('later');
      return askText(act, 'b').finally(() => steps.push('left'));
    };
    const served = serveBody(async (act) => (await Promise.all([askText(act, 'a'), later(act)])).join(' '), {
      sdk,
      options,
    });
    const { answer } = await served.tell(firstCall());
    expect(isAsk(answer)).toBe(true);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(steps).toEqual(['later']);
    expect(eventsOf(served, 'error')).toEqual([]);
  });

  it('has its signal aborted', async () => {
    const aborted: string[] = [];
    const served = serveBody(
      async (act) => {
        act.extra.signal.addEventListener('abort', () => aborted.push('aborted'));
        return askText(act, 'a');
      },
      { sdk, options },
    );
    await served.tell(firstCall());
    while (aborted.length === 0) await turn();
    expect(aborted).toEqual(['aborted']);
  });

  it('comes to the same result', async () => {
    const served = serveBody(
      async (act) => {
        const first = await askText(act, 'a').catch(() => 'nobody');
        const others = await Promise.all([askText(act, 'b'), askText(act, 'c')]);
        return [first, ...others].join(' ');
      },
      { sdk, options },
    );
    const { texts, answer } = await play(served, shouting);
    expect([texts, textOf(answer), served.events]).toEqual([[['a'], ['b', 'c']], 'A B C', []]);
  });

  it('does not keep an answered question from going on', async () => {
    const steps: string[] = [];
    const served = serveBody(
      async (act) => {
        steps.push(await askText(act, 'a'));
        steps.push(await askText(act, 'b'));
        return 'done';
      },
      { sdk, options },
    );
    await play(served, answering({ a: 'A', b: 'B' }));
    expect(steps).toEqual(['A', 'A', 'B']);
  });
});
