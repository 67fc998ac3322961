import { describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer, type Extra, said, toolServer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';

const FORMS = { capabilities: { elicitation: {} } };

async function tell(extra: Extra, progress: number, more: Json = {}): Promise<void> {
  const progressToken = extra._meta?.progressToken ?? 'none';
  await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, ...more } });
}

/** Answers every question of the call `id` and returns the params of its progress notifications. */
async function collect(peer: Peer, id: string | number): Promise<Json[]> {
  const seen: Json[] = [];
  for (;;) {
    const message = await peer.next();
    if (message['method'] === 'notifications/progress') seen.push(message['params']);
    else if (message['method'] === 'elicitation/create') await peer.answer(message, ADA);
    else if (message['id'] === id) return seen;
  }
}

const withToken = (progressToken: string | number): Json => ({ _meta: { progressToken } });
const rounded = (seen: readonly Json[]) => seen.map(({ progress }) => Number(Number(progress).toFixed(7)));

/** A server whose handler sends `values` in each of its two runs. */
function twoRuns(values: readonly number[], more: Json = {}) {
  let runs = 0;
  return toolServer(
    async (extra) => {
      runs += 1;
      for (const value of values) await tell(extra, value, more);
      return runs === 1 ? { content: [], ...ask({ who: form() }) } : said('done');
    },
    { heartbeat: false },
  ).server;
}

describe('[H9a] [S10] the progress of a handler that runs again', () => {
  it('goes on rising, with its total and its message', async () => {
    const peer = await connectPeer(twoRuns([0, 50, 100], { total: 100, message: 'Deploying' }), FORMS);
    const seen = await collect(peer, await peer.callTool('tool', {}, withToken('t')));
    expect(rounded(seen)).toEqual([0, 50, 100, 100.0001, 100.0002, 100.0003]);
    for (const { progress, ...others } of seen) {
      expect(others).toEqual({ progressToken: 't', total: 100, message: 'Deploying' });
      expect(typeof progress).toBe('number');
    }
  });

  it.each([
    ['below 1, by 1e-6', 0.5, 0.500001],
    ['above 1, by 1e-6 of the last', 2_000_000, 2_000_002],
    ['below -1, by 1e-6 of its size', -2_000_000, -1_999_998],
  ])('rises from a value %s', async (_name, value, next) => {
    const peer = await connectPeer(twoRuns([value]), FORMS);
    const seen = await collect(peer, await peer.callTool('tool', {}, withToken('t')));
    expect(rounded(seen)).toEqual([value, next]);
  });

  it('passes a value above the last one as it is', async () => {
    let runs = 0;
    const { server } = toolServer(
      async (extra) => {
        runs += 1;
        for (const value of runs === 1 ? [1, 2] : [2, 3]) await tell(extra, value);
        return runs === 1 ? { content: [], ...ask({ who: form() }) } : said('done');
      },
      { heartbeat: false },
    );
    const peer = await connectPeer(server, FORMS);
    expect(rounded(await collect(peer, await peer.callTool('tool', {}, withToken('t'))))).toEqual([1, 2, 2.000002, 3]);
  });

  it('rises under the token 0', async () => {
    const peer = await connectPeer(twoRuns([1]), FORMS);
    const seen = await collect(peer, await peer.callTool('tool', {}, withToken(0)));
    expect(rounded(seen)).toEqual([1, 1.000001]);
    expect(seen.map(({ progressToken }) => progressToken)).toEqual([0, 0]);
  });

  it('rises for each call on its own', async () => {
    const runs: Record<string, number> = {};
    const { server } = toolServer(
      async (extra) => {
        const token = String(extra._meta?.progressToken);
        runs[token] = (runs[token] ?? 0) + 1;
        await tell(extra, token === 'a' ? 10 : 20);
        return runs[token] === 1 ? { content: [], ...ask({ who: form() }) } : said('done');
      },
      { heartbeat: false },
    );
    const peer = await connectPeer(server, FORMS);
    const first = await peer.callTool('tool', {}, withToken('a'));
    const second = await peer.callTool('tool', {}, withToken('b'));
    const seen: Json[] = [];
    for (const ended = new Set(); ended.size < 2; ) {
      const message = await peer.next();
      if (message['method'] === 'notifications/progress') seen.push(message['params']);
      else if (message['method'] === 'elicitation/create') await peer.answer(message, ADA);
      else ended.add(message['id']);
    }
    expect(first).not.toBe(second);
    const of = (token: string) => rounded(seen.filter(({ progressToken }) => progressToken === token));
    expect([of('a'), of('b')]).toEqual([
      [10, 10.00001],
      [20, 20.00002],
    ]);
  });

  it('rises too when it is sent through the server and not through the call', async () => {
    let runs = 0;
    const { server } = toolServer(
      async () => {
        runs += 1;
        await server.server.notification({
          method: 'notifications/progress',
          params: { progressToken: 't', progress: 5 },
        });
        return runs === 1 ? { content: [], ...ask({ who: form() }) } : said('done');
      },
      { heartbeat: false },
    );
    const peer = await connectPeer(server, FORMS);
    expect(rounded(await collect(peer, await peer.callTool('tool', {}, withToken('t'))))).toEqual([5, 5.000005]);
  });

  it('stops with the answer', async () => {
    let late: Promise<void> = Promise.resolve();
    let after = (): void => undefined;
    const { server } = toolServer((extra) => {
      late = new Promise<void>((resolve) => {
        after = resolve;
      }).then(() => tell(extra, 7));
      return said('done');
    });
    const peer = await connectPeer(server, FORMS);
    await peer.callTool('tool', {}, withToken('t'));
    expect((await peer.next())['result'].content[0].text).toBe('done');
    after();
    await late;
    await settle();
    expect(await peer.rest(0)).toEqual([]);
  });

  it('is not touched any more when it is sent through the server after the answer', async () => {
    const { server } = toolServer(async (extra) => {
      await tell(extra, 5);
      return said('done');
    });
    const peer = await connectPeer(server, FORMS);
    await collect(peer, await peer.callTool('tool', {}, withToken('t')));
    const params = { progressToken: 't', progress: 5 };
    await server.server.notification({ method: 'notifications/progress', params });
    expect((await peer.next())['params']).toEqual(params);
  });

  it('begins anew when a later call uses the same token', async () => {
    const { server } = toolServer(async (extra) => {
      await tell(extra, 3);
      return said('done');
    });
    const peer = await connectPeer(server, FORMS);
    expect(rounded(await collect(peer, await peer.callTool('tool', {}, withToken('t'))))).toEqual([3]);
    expect(rounded(await collect(peer, await peer.callTool('tool', {}, withToken('t'))))).toEqual([3]);
  });
});
