import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LOG_LEVEL } from '../serve/malformed-request.ts';
import { modern, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import { answering, askText } from './questions.ts';
import { type Act, eventsOf, isAsk, play, serveBody } from './replay-session.ts';

const CONTINUED = { type: 'continued-after-suspend', method: 'tools/call', target: 'act' };

/** A call whose client wants to hear everything. */
const hearing = () => {
  const meta = { [LOG_LEVEL]: 'debug', progressToken: 'p' };
  return modern('tools/call', { name: 'act', arguments: {} }, { capabilities: ALL_CAPABILITIES, meta });
};

/** Tells the client of itself in every way that SDK v1 has. */
async function tell({ server, extra }: Act, progress: number): Promise<void> {
  await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: 'p', progress } });
  await server.sendLoggingMessage({ level: 'error', data: `at ${progress}` });
}

/** Until the signal of a run is aborted: it is told by an event. */
const aborted = ({ signal }: Act['extra']): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

describe.each(['newest', 'oldest'] as const)('[P2a] a run that was suspended (%s SDK v1)', (sdk) => {
  it('has told its client what came before the question, and nothing after it', async () => {
    const served = serveBody(
      async (act) => {
        await tell(act, 1);
        const name = await askText(act, 'Name?').catch(() => 'nobody');
        await tell(act, 2);
        return name;
      },
      { sdk },
    );
    const { answer, notifications } = await served.tell(hearing());
    expect(isAsk(answer)).toBe(true);
    expect(notifications.map(({ params }) => params.progress ?? params.data)).toEqual([1, 'at 1']);
  });

  it('has its signal aborted before the event loop turns', async () => {
    const isAborted: boolean[] = [];
    const served = serveBody(
      (act) =>
        askText(act, 'Name?').catch(async (error) => {
          // Microtasks alone: nothing that the run may have begun gets any further meanwhile.
          for (let hop = 0; hop < 100; hop += 1) await undefined;
          isAborted.push(act.extra.signal.aborted);
          throw error;
        }),
      { sdk },
    );
    const { answer } = await play(served, answering({ 'Name?': 'Ada' }));
    // The retry may have its answer in fewer microtasks.
    while (isAborted.length === 0) await turn();
    expect([textOf(answer), isAborted]).toEqual(['Ada', [true]]);
  });

  it('has its signal aborted where it is still busy', async () => {
    const reasons: string[] = [];
    const served = serveBody(
      async (act) => {
        void aborted(act.extra).then(() => reasons.push('aborted'));
        const name = await askText(act, 'Name?').catch(() => 'nobody');
        if (name === 'nobody') await aborted(act.extra);
        return name;
      },
      { sdk },
    );
    const { answer } = await play(served, answering({ 'Name?': 'Ada' }));
    while (reasons.length === 0) await turn();
    expect([textOf(answer), reasons]).toEqual(['Ada', ['aborted']]);
  });

  it('is reported once where it swallows the error and goes on, with its method and target', async () => {
    const served = serveBody(
      async (act) => {
        const name = await askText(act, 'Name?').catch(() => 'nobody');
        await tell(act, 1);
        await tell(act, 2);
        return name;
      },
      { sdk },
    );
    await served.tell(hearing());
    await turn();
    expect(served.events).toStrictEqual([CONTINUED]);
  });

  it('is reported once where it asks again, and the second question goes nowhere', async () => {
    const served = serveBody((act) => askText(act, 'a').catch(() => askText(act, 'b')), { sdk });
    const { texts, answer } = await play(served, answering({ a: 'A', b: 'B' }));
    expect(texts).toEqual([['a']]);
    expect(textOf(answer)).toBe('A');
    expect(served.events).toStrictEqual([CONTINUED]);
  });

  it('is reported where it swallows the error and ends, of a prompt or a resource too', async () => {
    const served = serveBody((act) => askText(act, 'a').catch(() => 'nobody'), { sdk });
    const said = { capabilities: ALL_CAPABILITIES };
    await served.tell(modern('prompts/get', { name: 'act' }, said));
    await served.tell(modern('resources/read', { uri: 'act://it' }, said));
    await turn();
    expect(served.events).toStrictEqual([
      { type: 'continued-after-suspend', method: 'prompts/get', target: 'act' },
      { type: 'continued-after-suspend', method: 'resources/read', target: 'act://it' },
    ]);
  });

  it.each([
    ['lets the error pass', (act: Act) => askText(act, 'a')],
    [
      'catches it and throws it again',
      async (act: Act) => {
        try {
          return await askText(act, 'a');
        } catch (error) {
          throw new Error('No answer', { cause: error });
        }
      },
    ],
    [
      'catches it and says that it failed',
      async (act: Act) => {
        try {
          return await askText(act, 'a');
        } catch {
          return { isError: true, content: [{ type: 'text' as const, text: 'No answer' }] };
        }
      },
    ],
  ])('is not reported where it %s', async (_name, body) => {
    const served = serveBody(body, { sdk });
    const { answer } = await play(served, answering({ a: 'A' }));
    expect(textOf(answer)).toBe('A');
    await turn();
    expect(eventsOf(served, 'continued-after-suspend')).toEqual([]);
  });

  it('is no mistake of its author where a part of it asks later', async () => {
    const errors: Error[] = [];
    const later = async (act: Act) => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      return askText(act, 'b').catch((error: Error) => {
        errors.push(error);
        throw error;
      });
    };
    const served = serveBody(async (act) => (await Promise.all([askText(act, 'a'), later(act)])).join(' '), { sdk });
    const { texts, answer } = await play(served, answering({ a: 'A', b: 'B' }));
    expect([texts, textOf(answer)]).toEqual([[['a'], ['b']], 'A B']);
    // Of the first run, which was suspended by a, and of the second, by b.
    while (errors.length < 2) await turn();
    expect(eventsOf(served, 'error')).toEqual([]);
  });

  it('rejects with an error that says what it is', async () => {
    const errors: unknown[] = [];
    const served = serveBody(
      async (act) => {
        try {
          return await askText(act, 'a');
        } catch (error) {
          errors.push(error);
          throw error;
        }
      },
      { sdk },
    );
    await play(served, answering({ a: 'A' }));
    expect(errors).toMatchObject([{ name: 'DualEraError', code: 'SUSPENDED' }]);
  });
});
