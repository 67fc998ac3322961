import { createHolds, sizeWorkerPool, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { TimeHistogram } from '../../packages/shim/src/handshake/time-histogram.ts';
import { ADA, ask, form, ROOTS, roots, stateOnly, url } from '../support/asks.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/random.ts';
import { play } from '../support/session.ts';
import { ASK, holdsOnClock, openHeldOnClock } from './open-held.ts';

const NO_TIMES = { count: 0, mean: 0, min: 0, max: 0, p50: 0, p90: 0, p95: 0, p99: 0, quantiles: Array(201).fill(0) };

describe('the figures of holds', () => {
  it('are nothing before anything was held, and JSON throughout', () => {
    const { holds } = holdsOnClock();
    const stats = holds.stats();
    expect(stats).toEqual({
      held: 0,
      mostHeld: 0,
      queued: 0,
      mostQueued: 0,
      openLegs: 0,
      calls: 0,
      refused: 0,
      rounds: 0,
      legs: {},
      outcomes: {},
      holdTimes: NO_TIMES,
      answerTimes: NO_TIMES,
      isDraining: false,
      elapsedMs: 0,
    });
    expect(JSON.parse(JSON.stringify(stats))).toEqual(stats);
  });

  it('tell how long they have been kept, whatever the clock had read before', async () => {
    const clock = new ManualClock();
    await clock.advance(1_000);
    const holds = createHolds({ ports: { clock } });
    await clock.advance(250);
    expect(holds.stats().elapsedMs).toBe(250);
  });

  it('tell what happened: calls, rounds, questions and times', async () => {
    const { holds, clock: processClock } = holdsOnClock({ max: 2, queue: 1 });
    const { peer, clock } = await openHeldOnClock(holds);
    const advance = async (ms: number): Promise<void> => {
      await clock.advance(ms);
      await processClock.advance(ms);
    };
    // Two rounds of 3 and 5 seconds, the second of two questions.
    await play(peer, [ask({ who: form('1') }), ask({ who: form('2'), where: roots() })]);
    const first = await peer.next();
    expect(holds.stats()).toMatchObject({ held: 1, openLegs: 1, rounds: 1, calls: 1 });
    await advance(3_000);
    await peer.answer(first, ADA);
    const second = await peer.next();
    await advance(2_000);
    await peer.answer(second, { action: 'decline' });
    const third = await peer.next();
    await advance(3_000);
    await peer.answer(third, ROOTS);
    await peer.next();
    // One that nobody answers, one that fails, and one with a state only, which is no time of an answer.
    const unanswered = await play(peer, [ask({ page: url() })]);
    await peer.next();
    await advance(4_000);
    await peer.cancel(unanswered);
    await peer.next();
    await play(peer, ASK);
    await peer.answerError(await peer.next(), -32603);
    await peer.next();
    await play(peer, [stateOnly({})]);
    await advance(50);
    await peer.next();
    const { holdTimes, answerTimes, ...counts } = holds.stats();
    expect(counts).toEqual({
      held: 0,
      mostHeld: 1,
      queued: 0,
      mostQueued: 0,
      openLegs: 0,
      calls: 3,
      refused: 0,
      rounds: 5,
      legs: {
        form: { accepted: 1, declined: 1, 'client-error': 1 },
        roots: { answered: 1 },
        url: { 'call-cancelled': 1 },
      },
      outcomes: { answered: 1, 'call-cancelled': 1, 'client-error': 1 },
      isDraining: false,
      elapsedMs: 12_050,
    });
    expect(holdTimes).toMatchObject({ count: 3, mean: 4_000, min: 0, max: 8_000 });
    expect(answerTimes).toMatchObject({ count: 4, mean: 3_000, min: 0, max: 5_000 });
    expect(Math.abs(answerTimes.p50 / 3_000 - 1)).toBeLessThan(0.01);
  });

  it('are of the whole process: of every server that shares the holds', async () => {
    const { holds } = holdsOnClock();
    const sessions = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    for (const { peer } of sessions) {
      await play(peer, ASK);
      await peer.answer(await peer.next(), ADA);
      await peer.next();
    }
    expect(holds.stats()).toMatchObject({ calls: 2, rounds: 2, mostHeld: 1, legs: { form: { accepted: 2 } } });
  });

  it('are kept whatever the hook of a server does', async () => {
    const { holds } = holdsOnClock();
    const { peer } = await openHeldOnClock(holds, {
      onEvent: () => {
        throw new Error('a broken hook');
      },
    });
    await play(peer, ASK);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(holds.stats()).toMatchObject({ held: 0, calls: 1, outcomes: { answered: 1 } });
  });
});

describe('measured times', () => {
  it.each([
    ['seconds', (random: () => number) => 500 + 30_000 * random()],
    ['from a millisecond to ten minutes', (random: () => number) => 600_000 ** random()],
    ['exponential', (random: () => number) => -20_000 * Math.log(1 - random())],
  ])('have every quantile within 1 % of the true one (%s)', (_name, draw) => {
    const random = seededRandom(7);
    const histogram = new TimeHistogram();
    const times = Array.from({ length: 20_000 }, () => Math.max(1, Math.round(draw(random)))).sort((a, b) => a - b);
    for (const time of times) histogram.record(time);
    const { quantiles, count, mean, min, max, p50, p90, p95, p99 } = histogram.read();
    expect([count, min, max]).toEqual([times.length, times[0], times.at(-1)]);
    expect(mean).toBeCloseTo(times.reduce((sum, time) => sum + time) / times.length, 6);
    quantiles.forEach((quantile, step) => {
      const rank = Math.max(0, Math.ceil((step / 200) * times.length) - 1);
      const truth = times[rank] ?? Number.NaN;
      expect(Math.abs(quantile - truth) / truth, `quantile ${step / 2} %`).toBeLessThanOrEqual(0.01);
    });
    expect([p50, p90, p95, p99]).toEqual([quantiles[100], quantiles[180], quantiles[190], quantiles[198]]);
  });

  it.each([
    ['fractions of a millisecond', [0.2, 0.2, 0.2, 0.2, 5]],
    ['a few milliseconds', [1.4, 1.4, 1.4, 5.5, 40.5]],
    ['one time', [197.51]],
  ])('are within 1 % where they are short too: %s', (_name, times) => {
    const histogram = new TimeHistogram();
    for (const time of times) histogram.record(time);
    const { quantiles, p50, min } = histogram.read();
    expect(Math.abs(p50 / (times[Math.ceil(times.length / 2) - 1] ?? 0) - 1)).toBeLessThan(0.01);
    expect(quantiles).toEqual([...quantiles].sort((left, right) => left - right));
    expect(quantiles[0]).toBe(min);
  });

  it('take no time at all, and what is longer than anybody waits', () => {
    const histogram = new TimeHistogram();
    histogram.record(0);
    histogram.record(0.25);
    histogram.record(1e15);
    expect(histogram.read()).toMatchObject({ count: 3, min: 0, max: 1e15 });
  });

  it('can be sized by, whatever they are', () => {
    const random = seededRandom(3);
    const histogram = new TimeHistogram();
    for (let time = 0; time < 300; time += 1) {
      histogram.record(3.499 + 200 * random());
      const input = { callsPerSecond: 1, rounds: 1, target: { refused: 0.01 } };
      expect(sizeWorkerPool({ ...input, answerTime: { histogram: histogram.read() } }).slots).toBeGreaterThan(0);
    }
  });
});

describe('createHolds', () => {
  it.each([
    [{ max: 0 }, RangeError, 'max'],
    [{ max: '10' }, TypeError, 'max'],
    [{ max: Number.POSITIVE_INFINITY }, RangeError, 'max'],
    [{ max: null }, TypeError, 'max'],
    [{ maxPerConnection: 1.5 }, RangeError, 'maxPerConnection'],
    [{ maxPerSubject: -1 }, RangeError, 'maxPerSubject'],
    [{ queue: -1 }, RangeError, 'queue'],
    [{ queue: true }, TypeError, 'queue'],
    [{ queueTimeout: 0 }, RangeError, 'queueTimeout'],
    [{ queueTimeout: 2_147_483_648 }, RangeError, 'queueTimeout'],
    [[], TypeError, 'options'],
    [null, TypeError, 'options'],
    [{ ports: 5 }, TypeError, 'ports'],
    [{ ports: null }, TypeError, 'ports'],
    [{ ports: { clock: {} } }, TypeError, 'ports.clock.setTimeout'],
    [{ ports: { clock: null } }, TypeError, 'ports.clock'],
    [{ ports: { warn: 'x' } }, TypeError, 'ports.warn'],
    ['many', TypeError, 'options'],
  ])('refuses %o', (options, kind, name) => {
    expect(() => createHolds(options as never)).toThrow(kind);
    expect(() => createHolds(options as never)).toThrow(new RegExp(`^${name} must be .+, got `));
  });

  it.each([
    ['an object of its shape', { stats: () => ({}), drain: async () => undefined }],
    ['null', null],
    ['a number', 100],
    ['its options', { max: 100 }],
  ])('is the only one that makes what the holds option takes: not %s', async (_name, holds) => {
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    const server = new McpServer({ name: 'a', version: '1' });
    const wrap = () => withInputRequiredShim(server, { holds: holds as never });
    expect(wrap).toThrow(TypeError);
    expect(wrap).toThrow(/^holds must be what createHolds gives, got /);
  });
});
