import { describe, expect, it, vi } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, roots, stateOnly, url } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { HTTP_TRANSPORTS, type OpenedHttp, openHttpSession } from '../support/open-http.ts';
import { connectPeer, said, toolServer } from '../support/own-server.ts';
import { clockSession, play } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const ENDS = ['hold-end closed', 'leg-end closed', 'round-end closed'];

/** What has ended and how, without the order: the events have a test of their own. */
const outcomes = ({ events }: Pick<OpenedHttp, 'events'>) =>
  events.flatMap((event) => ('outcome' in event ? [`${event.type} ${event.outcome}`] : [])).sort();

describe('a connection that closes with a question open', () => {
  it.each(['client', 'server'] as const)('is released at once, by the %s, and runs no handler (F05)', async (side) => {
    const opened = await clockSession(CAPABLE, { options: { heartbeat: 1_000 } });
    const { peer, clock, runs, close } = opened;
    const params = { name: 'script', arguments: { script: [ask({ who: form() })] }, _meta: { progressToken: 't' } };
    await peer.request('tools/call', params);
    await settle();
    const before = peer.inbox.all.length;
    expect(clock.pending).toBe(2);
    await (side === 'client' ? peer.close() : close());
    expect(clock.pending).toBe(0);
    await clock.advance(700_000);
    expect(outcomes(opened)).toEqual(ENDS);
    expect(runs).toEqual(['script']);
    expect(peer.inbox.all).toHaveLength(before);
  });

  it('ends every call of it, whatever each waits for', async () => {
    const opened = await clockSession(CAPABLE, { options: { legs: 'concurrent' } });
    const { peer, clock, runs } = opened;
    await play(peer, [ask({ a: form(), b: url(), c: roots() })]);
    await play(peer, [stateOnly({ page: 1 })]);
    await play(peer, [ask({ who: form() })]);
    await settle();
    expect(clock.pending).toBe(3);
    await peer.close();
    expect(clock.pending).toBe(0);
    await clock.advance(700_000);
    expect(runs).toHaveLength(3);
    expect(outcomes(opened)).toEqual([
      'hold-end closed',
      'hold-end closed',
      'leg-end closed',
      'leg-end closed',
      'leg-end closed',
      'leg-end closed',
      'round-end closed',
      'round-end closed',
      'round-end closed',
    ]);
  });

  it('runs no handler when it closes together with the answer', async () => {
    const { peer, runs } = await clockSession(CAPABLE);
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await Promise.all([peer.answer(leg, ADA), peer.close()]);
    await settle();
    expect(runs).toEqual(['script']);
  });

  it('runs no handler when it closes between the answer and the run that is due', async () => {
    const { peer, clock, runs } = await clockSession(CAPABLE);
    await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    expect(clock.pending).toBe(1);
    await peer.close();
    expect(clock.pending).toBe(0);
    await settle();
    expect(runs).toEqual(['script']);
  });
});

describe('a connection that closes while the handler runs', () => {
  it.each(['a result', 'an ask'])('drops what the handler returns then: %s', async (what) => {
    let finish = (): void => undefined;
    let signal: AbortSignal | undefined;
    const { server, events } = toolServer(async (extra) => {
      signal = extra.signal;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return what === 'an ask' ? { content: [], ...ask({ who: form() }) } : said('done');
    });
    const peer = await connectPeer(server, CAPABLE);
    await peer.callTool('tool');
    await settle();
    await peer.close();
    expect(signal?.aborted).toBe(true);
    finish();
    await settle();
    expect(events).toEqual([]);
    expect(await peer.rest(0)).toEqual([]);
  });
});

describe.each(HTTP_TRANSPORTS)('an HTTP session that ends with a question open (%s transport)', (transport) => {
  it.each([
    ['DELETE', (opened: OpenedHttp): Promise<unknown> => opened.client.delete()],
    ['the close of its transport', (opened: OpenedHttp): Promise<unknown> => opened.closeTransport()],
  ])('is released at once by %s', async (_name, end) => {
    const opened = await openHttpSession(transport, CAPABLE);
    const { peer, client, runs } = opened;
    const id = await play(peer, [ask({ who: form(), where: roots() })]);
    await peer.next();
    await end(opened);
    await vi.waitFor(() => expect(outcomes(opened)).toEqual(ENDS));
    await client.post(id).ended;
    expect(client.post(id).messages.map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(runs).toEqual(['script']);
  });
});
