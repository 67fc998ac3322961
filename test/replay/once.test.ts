import { inputContext, inputRequired, once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, type Extra, said, toolServer } from '../support/own-server.ts';
import type { SdkName } from '../support/sdk.ts';
import { sdkNamed } from '../support/sdk.ts';
import { accepted, elicit, formOf, shouting, TEXT_FORM } from './questions.ts';
import { play, serveBody } from './replay-session.ts';

/** A handler, as `ask` lets it be written: one answer to the question `message`, or an ask to return. */
type Effects = (extra: Extra) => Promise<unknown>;
type Style = 'returns its asks' | 'asks in mid-body';

/** What `effects` gives before and after a question, of a handler of either style in either era. */
type Run = (style: Style, effects: Effects) => Promise<unknown[]>;

async function modern(sdk: SdkName, style: Style, effects: Effects): Promise<unknown[]> {
  const seen: unknown[] = [];
  const served = serveBody(
    async (act) => {
      seen.push(await effects(act.extra));
      if (style === 'asks in mid-body') await elicit(act, 'a');
      else if (inputContext(act.extra).round === 0) {
        return inputRequired({
          inputRequests: { a: inputRequired.elicit({ message: 'a', requestedSchema: TEXT_FORM }) },
        });
      }
      seen.push(await effects(act.extra));
      return 'done';
    },
    { sdk },
  );
  const { answer } = await play(served, shouting);
  expect(textOf(answer)).toBe('done');
  return seen;
}

async function handshake(sdk: SdkName, style: Style, effects: Effects): Promise<unknown[]> {
  const seen: unknown[] = [];
  const { server } = toolServer(
    async (extra) => {
      seen.push(await effects(extra));
      if (style === 'asks in mid-body') await elicit(server, 'a');
      else if (inputContext(extra).round === 0) {
        return inputRequired({
          inputRequests: { a: inputRequired.elicit({ message: 'a', requestedSchema: TEXT_FORM }) },
        });
      }
      seen.push(await effects(extra));
      return said('done');
    },
    {},
    sdk,
  );
  const peer = await connectPeer(server, { capabilities: { elicitation: {} } }, sdk);
  await peer.callTool('tool');
  const leg = await peer.next();
  expect(leg).toMatchObject(formOf('a'));
  await peer.answer(leg, accepted('A'));
  expect(textOf(await peer.next())).toBe('done');
  return seen;
}

const ERAS: Readonly<Record<string, (sdk: SdkName) => Run>> = {
  modern: (sdk) => (style, effects) => modern(sdk, style, effects),
  handshake: (sdk) => (style, effects) => handshake(sdk, style, effects),
};

for (const sdk of ['newest', 'oldest'] as const) {
  for (const [era, runOf] of Object.entries(ERAS)) {
    for (const style of ['returns its asks', 'asks in mid-body'] as const) {
      describe(`[P3a] once, in a handler that ${style}, in the ${era} era (${sdk} SDK v1)`, () => {
        const run = (effects: Effects) => runOf(sdk)(style, effects);

        it('runs an effect once, and gives its result every time', async () => {
          let count = 0;
          const seen = await run((extra) => once(extra, 'effect', async () => ({ count: ++count, list: [1, null] })));
          expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"count":1,"list":[1,null]}']));
          expect(count).toBe(1);
        });

        it('runs effects under two keys once each', async () => {
          const ran: string[] = [];
          const effect = (extra: Extra, key: string) => once(extra, key, () => ran.push(key));
          await run(async (extra) => [await effect(extra, 'first'), await effect(extra, '__proto__')]);
          expect(ran).toEqual(['first', '__proto__']);
        });

        it('shares one effect between calls that are made at once', async () => {
          let count = 0;
          const effect = (extra: Extra) => once(extra, 'effect', async () => ++count);
          const seen = await run((extra) => Promise.all([effect(extra), effect(extra)]));
          expect(new Set(seen.flat())).toEqual(new Set([1]));
        });

        it('gives undefined for an effect that gives nothing', async () => {
          let count = 0;
          const seen = await run((extra) =>
            once(extra, 'effect', () => {
              count += 1;
            }),
          );
          expect([new Set(seen), count]).toEqual([new Set([undefined]), 1]);
        });

        it('gives a date as its text, the first time too', async () => {
          const seen = await run((extra) => once(extra, 'effect', () => new Date(Date.UTC(2026, 6, 28))));
          expect(new Set(seen)).toEqual(new Set(['2026-07-28T00:00:00.000Z']));
        });

        it('gives a fresh copy every time', async () => {
          const seen = await run(async (extra) => {
            const list = await once(extra, 'effect', () => [1]);
            list.push(2);
            return once(extra, 'effect', () => [3]);
          });
          expect(new Set(seen.map(String))).toEqual(new Set(['1']));
        });

        it('does not keep an error: the effect runs again', async () => {
          let count = 0;
          const seen = await run((extra) =>
            once(extra, 'effect', () => {
              count += 1;
              if (count === 1) throw new Error('not yet');
              return count;
            }).catch(({ message }: Error) => message),
          );
          expect([seen[0], new Set(seen.slice(1)), count]).toEqual(['not yet', new Set([2]), 2]);
        });
      });
    }
  }
}

describe('once, in another call', () => {
  it.each([
    [
      'modern',
      async (effects: Effects) => {
        const served = serveBody(async ({ extra }) => String(await effects(extra)));
        return [textOf((await play(served, shouting)).answer), textOf((await play(served, shouting)).answer)];
      },
    ],
    [
      'handshake',
      async (effects: Effects) => {
        const { server } = toolServer(async (extra) => said(String(await effects(extra))));
        const peer = await connectPeer(server);
        const results: string[] = [];
        for (let calls = 0; calls < 2; calls += 1) {
          await peer.callTool('tool');
          results.push(textOf(await peer.next()));
        }
        return results;
      },
    ],
  ])('runs the effect again (%s)', async (_era, callTwice) => {
    let count = 0;
    expect(await callTwice((extra) => once(extra, 'effect', () => ++count))).toEqual(['1', '2']);
  });
});

describe('once, with what it does not take', () => {
  const failing = async (effects: Effects): Promise<string> => {
    const served = serveBody(async ({ extra }) => {
      const error = await effects(extra).then(
        () => 'none',
        (thrown: Error) => `${thrown.name}: ${thrown.message}`,
      );
      return error as string;
    });
    return textOf((await play(served, shouting)).answer);
  };

  it.each([
    ['an empty key', ''],
    ['a number', 5],
    ['nothing', undefined],
    ['null', null],
    ['an object', {}],
  ])('rejects %s as its key, and runs nothing', async (_name, key) => {
    let count = 0;
    const error = await failing((extra) => once(extra, key as string, () => ++count));
    expect(error).toMatch(/^TypeError: once needs a key, got /);
    expect(count).toBe(0);
  });

  it.each([
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('s')],
    ['a bigint', () => 1n],
    [
      'a cycle',
      () => {
        const cycle: Json = {};
        cycle['self'] = cycle;
        return cycle;
      },
    ],
  ])('rejects %s as its result', async (_name, fn) => {
    expect(await failing((extra) => once<unknown>(extra, 'effect', fn))).toMatch(/^TypeError: /);
  });
});

describe('once, on a server without a middleware', () => {
  it.each(['newest', 'oldest'] as const)('just runs, and gives what it gave (%s SDK v1)', async (sdk) => {
    const { McpServer } = sdkNamed(sdk);
    const server = new McpServer({ name: 'plain', version: '1' });
    const date = new Date(0);
    let isSame: unknown;
    let count = 0;
    server.registerTool('tool', {}, async (extra) => {
      isSame = (await once(extra, 'effect', () => date)) === date;
      await once(extra, 'count', () => ++count);
      await once(extra, 'count', () => ++count);
      return said('done');
    });
    const { peer, close } = await connectMemory(server, sdk);
    await peer.handshake();
    await peer.callTool('tool');
    await peer.next();
    await close();
    expect([isSame, count]).toEqual([true, 2]);
  });
});
