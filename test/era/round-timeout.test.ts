import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, roots, told, url } from '../support/asks.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { METHODS } from '../support/matrix.ts';
import { openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectForgotten, expectSilence, play, session } from '../support/session.ts';

const QUESTIONS = { capabilities: ALL_CAPABILITIES };

describe('roundTimeout', () => {
  it('covers two legs one after the other, closes the one that is open, and leaves nothing behind', async () => {
    const opened = await clockSession(QUESTIONS, { options: { roundTimeout: 10_000 } });
    const { peer, clock, runs } = opened;
    const id = await play(peer, [ask({ who: form(), where: roots() })]);
    const who = await peer.next();
    await clock.advance(6_000);
    await peer.answer(who, ADA);
    const where = await peer.next();
    expect(where['method']).toBe('roots/list');
    await clock.advance(3_999);
    expect(await peer.rest(0)).toEqual([]);
    await clock.advance(1);
    expect(clock.pending).toBe(0);
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: where['id'], reason: 'The question was not answered in time' },
    });
    const text = 'The tool script was not completed: its question was not answered in time (roundTimeout is 10000 ms).';
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      id,
      result: {
        content: [{ type: 'text', text }],
        isError: true,
        _meta: {
          'mcp-dual-era/outcome': {
            reason: 'timeout',
            method: 'tools/call',
            target: 'script',
            round: 1,
            key: 'where',
          },
        },
      },
    });
    expect(runs).toEqual(['script']);
    await expectForgotten(opened, id, where);
  });

  it('closes every dialog that is open with legs: concurrent', async () => {
    const options = { roundTimeout: 10_000, legs: 'concurrent' as const };
    const { peer, clock } = await clockSession(QUESTIONS, { options });
    await play(peer, [ask({ who: form(), auth: url(), where: roots() })]);
    const legs = [await peer.next(), await peer.next(), await peer.next()];
    await peer.answer(legs[0] ?? {}, ADA);
    await clock.advance(10_000);
    const closed = [await peer.next(), await peer.next()].map((message) => message['params'].requestId);
    expect(closed).toEqual([legs[1]?.['id'], legs[2]?.['id']]);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'timeout', key: 'auth' });
  });

  it('begins anew with each round', async () => {
    const { peer, clock } = await clockSession(QUESTIONS, { options: { roundTimeout: 10_000 } });
    await play(peer, [ask({ a: form() }), ask({ b: form('And now?') })]);
    const first = await peer.next();
    await clock.advance(9_999);
    await peer.answer(first, ADA);
    const second = await peer.next();
    await clock.advance(9_999);
    await peer.answer(second, ADA);
    expect(told(await peer.next())).toMatchObject({ round: 2, responses: { b: ADA } });
  });

  it.each(METHODS.slice(1))('ends %s with a JSON-RPC error', async (method) => {
    const { peer, clock } = await clockSession(QUESTIONS, { options: { roundTimeout: 10_000 } });
    await peer.request(method, scriptParams(method, [ask({ who: form() })]));
    await peer.next();
    await clock.advance(10_000);
    expect((await peer.next())['method']).toBe('notifications/cancelled');
    const answer = await peer.next();
    expect(answer['error'].code).toBe(-32603);
    expect(answer['error'].data).toMatchObject({ reason: 'timeout', method, round: 1, key: 'who' });
  });

  it('is ten minutes by default', async () => {
    const { peer, clock } = await clockSession(QUESTIONS);
    await play(peer, [ask({ who: form() })]);
    await peer.next();
    await clock.advance(599_999);
    expect(await peer.rest(0)).toEqual([]);
    await clock.advance(1);
    expect((await peer.next())['method']).toBe('notifications/cancelled');
    expect(outcomeOf(await peer.next())['reason']).toBe('timeout');
  });
});

describe('an answer one second after roundTimeout (F46)', () => {
  it('is dropped with an event, and later calls are fine', async () => {
    const opened = await clockSession(QUESTIONS, { options: { roundTimeout: 10_000 } });
    const { peer, clock, runs, events } = opened;
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(10_000);
    await peer.next();
    await peer.next();
    await clock.advance(1_000);
    const before = events.length;
    await peer.answer(leg, ADA);
    expect(events.slice(before)).toEqual([{ type: 'late-answer' }]);
    expect(runs).toEqual(['script']);
    await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())).toMatchObject({ round: 1, responses: { who: ADA } });
    await expectSilence(peer);
  });
});

describe('[O2] an answer in the turn of the event loop that roundTimeout comes due in', () => {
  it('is taken when it was there first', async () => {
    const clock = new ManualClock();
    const timeouts: (() => void)[] = [];
    const setTimeout = (run: () => void, ms: number) => {
      if (ms === 10_000) timeouts.push(run);
      return clock.setTimeout(run, ms);
    };
    const opened = await openPlay((context) => (context.round === 0 ? ask({ who: form() }) : 'done'), {
      options: { roundTimeout: 10_000, ports: { clock: { ...clock, setTimeout } } },
    });
    onTestFinished(() => opened.close());
    const { peer, run, events } = opened;
    await run();
    const answered = peer.answer(await peer.next(), ADA);
    for (const comeDue of timeouts) comeDue();
    expect(timeouts).toHaveLength(1);
    await answered;
    expect(textOf(await peer.next())).toBe('done');
    await settle();
    expect(events.flatMap((event) => ('outcome' in event ? [`${event.type} ${event.outcome}`] : []))).toEqual([
      'leg-end accepted',
      'round-end answered',
      'hold-end answered',
    ]);
  });
});

describe('a client that never answers (F06)', () => {
  it('sees each of three calls end with reason timeout, never declined', async () => {
    const { peer, clock } = await clockSession(QUESTIONS, { options: { roundTimeout: 10_000 } });
    const reasons: string[] = [];
    for (let call = 0; call < 3; call += 1) {
      await play(peer, [ask({ who: form() })]);
      await peer.next();
      await clock.advance(10_000);
      await peer.next();
      reasons.push(outcomeOf(await peer.next())['reason']);
    }
    expect(reasons).toEqual(['timeout', 'timeout', 'timeout']);
  });
});

describe('a slow person', () => {
  it.each([
    ['61 s, default settings (F01)', 61_000, {}],
    ['5 min, roundTimeout 10 min (F02)', 300_000, { roundTimeout: 600_000 }],
  ])('is waited for: %s', async (_name, ms, options) => {
    const { peer, clock } = await clockSession(QUESTIONS, { options });
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(ms);
    await peer.answer(leg, ADA);
    expect(told(await peer.next())).toMatchObject({ round: 1, responses: { who: ADA } });
  });
});

describe.each(['http', 'stdio'] as const)('roundTimeout (%s)', (transport) => {
  it('closes the dialog and ends the call, and a late answer disturbs nothing', async () => {
    const opened = await session(transport, QUESTIONS, { options: { roundTimeout: 1_000 } });
    const { peer, events } = opened;
    const id = await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    const closed = await peer.next();
    expect([closed['method'], closed['params'].requestId]).toEqual(['notifications/cancelled', leg['id']]);
    const answer = await peer.next();
    expect(answer['id']).toBe(id);
    expect(outcomeOf(answer)).toMatchObject({ reason: 'timeout', key: 'who' });
    await peer.answer(leg, ADA);
    await expectSilence(peer);
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'late-answer' }));
  });
});
