import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, sampling, stateOnly, url } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import type { Opened } from '../support/open.ts';
import { connectPeer, said, toolServer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';
import { clockSession, expectForgotten, expectSilence, play, session } from '../support/session.ts';

const CELLS = [
  ['memory', 'newest'],
  ['memory', 'oldest'],
  ['stdio', 'newest'],
  ['http', 'newest'],
  ['http', 'oldest'],
] as const;

const handlerRuns = ({ runs }: Opened) => runs.filter((run) => run === 'script').length;

describe.each(CELLS)('cancelling a call (%s, %s SDK v1)', (transport, sdk) => {
  it('closes its dialog at the client, runs no handler and sends nothing else', async () => {
    const opened = await session(transport, { capabilities: ALL_CAPABILITIES }, { sdk });
    const { peer } = opened;
    const id = await play(peer, [ask({ who: form(), sum: sampling() })]);
    const leg = await peer.next();
    await peer.cancel(id);
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: leg['id'], reason: 'The call was cancelled' },
    });
    await expectSilence(peer);
    await expectForgotten(opened, id, leg);
    expect(handlerRuns(opened)).toBe(1);
  });
});

describe.each(['memory', 'http'] as const)('cancelling a call with legs: concurrent (%s)', (transport) => {
  it('closes every dialog that is open, and no other', async () => {
    const settings = { options: { legs: 'concurrent' as const } };
    const opened = await session(transport, { capabilities: ALL_CAPABILITIES }, settings);
    const { peer } = opened;
    const id = await play(peer, [ask({ who: form(), auth: url(), where: roots() })]);
    const legs = [await peer.next(), await peer.next(), await peer.next()];
    const [who, auth, where] = legs.map((leg) => leg['id']);
    await peer.answer(legs[1] ?? {}, { action: 'accept' });
    await peer.cancel(id);
    const closed = [await peer.next(), await peer.next()];
    expect(closed.map((message) => [message['method'], message['params'].requestId])).toEqual([
      ['notifications/cancelled', who],
      ['notifications/cancelled', where],
    ]);
    expect(auth).not.toBe(who);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
  });
});

describe('a call cancelled at 60 s, its dialog never answered (F03, F04)', () => {
  it('ends without a progress frame, and leaves no timer and no entry', async () => {
    const opened = await clockSession({ capabilities: { elicitation: {} } });
    const { peer, clock, events } = opened;
    const id = await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(60_000);
    await peer.cancel(id);
    await settle();
    expect(clock.pending).toBe(0);
    expect((await peer.next())['method']).toBe('notifications/cancelled');
    await clock.advance(600_000);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
    const end = events.find(({ type }) => type === 'hold-end');
    expect(end).toMatchObject({ outcome: 'call-cancelled', rounds: 1, ms: 60_000, handlerRan: false });
    await expectForgotten(opened, id, leg);
  });
});

describe('cancelling during a pause of a round with a state only', () => {
  it('runs no handler and sends nothing', async () => {
    const opened = await clockSession();
    const { peer, clock } = opened;
    const id = await play(peer, [stateOnly({ page: 1 }), stateOnly({ page: 2 })]);
    await settle();
    expect(clock.pending).toBe(1);
    await peer.cancel(id);
    expect(clock.pending).toBe(0);
    await clock.advance(1_000);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
  });
});

describe('cancelling between the answer and the next run', () => {
  it('runs no handler when the cancellation comes before the run is due', async () => {
    const opened = await clockSession({ capabilities: { elicitation: {} } });
    const { peer, clock, events } = opened;
    const id = await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await peer.answer(leg, ADA);
    // All that needs no turn of the event loop: what is left is the run that waits for one.
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    expect(clock.pending).toBe(1);
    await peer.cancel(id);
    expect(clock.pending).toBe(0);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
    expect(events.slice(-2)).toMatchObject([
      { type: 'round-end', outcome: 'call-cancelled', handlerRan: false },
      { type: 'hold-end', outcome: 'call-cancelled', handlerRan: false },
    ]);
    await expectForgotten(opened, id, leg);
  });

  it.each([7, 'seven', 0, ''])('runs no handler when answer and cancellation arrive together: id %j', async (id) => {
    const opened = await clockSession({ capabilities: { elicitation: {} } });
    const { peer } = opened;
    await play(peer, [ask({ who: form() })], id);
    const leg = await peer.next();
    // As two lines in one chunk of a pipe are read: without a turn between them.
    await Promise.all([peer.answer(leg, ADA), peer.cancel(id)]);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
    await expectForgotten(opened, id, leg);
  });

  it('runs no handler when answer and cancellation arrive in one POST', async () => {
    const opened = await session('http', { revision: '2025-03-26', capabilities: ALL_CAPABILITIES });
    const { peer } = opened;
    const id = await play(peer, [ask({ where: roots() })]);
    const leg = await peer.next();
    await peer.send([
      { jsonrpc: '2.0', id: leg['id'], result: ROOTS },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    ]);
    await expectSilence(peer);
    expect(handlerRuns(opened)).toBe(1);
  });
});

/** Cancels a call whose handler works, and lets the handler end: the client hears nothing more of it. */
async function cancelAndFinish(peer: Peer, id: string | number, finish: () => void): Promise<void> {
  await peer.cancel(id);
  await settle();
  finish();
  await settle();
  expect(await peer.rest(0)).toEqual([]);
}

describe.each(['newest', 'oldest'] as const)('cancelling while the handler runs again (%s SDK v1)', (sdk) => {
  it.each([7, 'seven', 0, ''])('aborts its signal and drops its result: a call with id %j', async (id) => {
    let finish = (): void => undefined;
    let signal: AbortSignal | undefined;
    const { server } = toolServer(
      async (extra) => {
        if (signal === undefined) {
          signal = extra.signal;
          return { content: [], ...ask({ who: form() }) };
        }
        signal = extra.signal;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return said('done');
      },
      {},
      sdk,
    );
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } }, sdk);
    await peer.request('tools/call', { name: 'tool' }, id);
    await peer.answer(await peer.next(), ADA);
    await settle();
    await cancelAndFinish(peer, id, finish);
    // SDK v1 takes the ids 0 and '' for no id at all, and aborts nothing.
    if (id !== 0 && id !== '') expect(signal?.aborted).toBe(true);
    await peer.request('ping', {}, id);
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it.each([1, 0, ''])('sends no question of its own any more, nor progress: id %j', async (id) => {
    let finish = (): void => undefined;
    const outcomes: unknown[] = [];
    const { server } = toolServer(
      async (extra) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        const progress = { progressToken: 'p', progress: 1 };
        await extra.sendNotification({ method: 'notifications/progress', params: progress });
        const request = { method: 'roots/list' as const };
        await extra.sendRequest(request, ListRootsResultSchema).catch((error) => outcomes.push(error));
        return said('done');
      },
      {},
      sdk,
    );
    const peer = await connectPeer(server, { capabilities: { roots: {} } }, sdk);
    await peer.request('tools/call', { name: 'tool', _meta: { progressToken: 'p' } }, id);
    await settle();
    await cancelAndFinish(peer, id, finish);
    expect(outcomes).toHaveLength(1);
  });

  it('drops the ask it returns, without a question', async () => {
    let runs = 0;
    let finish = (): void => undefined;
    const { server, events } = toolServer(
      async () => {
        runs += 1;
        if (runs === 2)
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        return { content: [], ...ask({ who: form(`Question ${runs}`) }) };
      },
      {},
      sdk,
    );
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } }, sdk);
    const id = await peer.callTool('tool');
    await peer.answer(await peer.next(), ADA);
    await settle();
    await peer.cancel(id);
    finish();
    await settle();
    expect(await peer.rest(0)).toEqual([]);
    expect(runs).toBe(2);
    expect(events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'call-cancelled', rounds: 1, handlerRan: true });
  });
});
