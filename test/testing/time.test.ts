import { inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { accept, later, never, runOnBothEras } from 'mcp-dual-era/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ManualClock } from '../support/manual-clock.ts';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { askName, elicitName, greeting, textResult } from './questions.ts';

const ADA = accept({ name: 'Ada' });
const MINUTE = 60_000;

/** As `askName`, with a state that the modern client has to bring back. */
const askWithState: Play = ({ ctx }) =>
  ctx.round > 0
    ? greeting(ctx)
    : inputRequired({ inputRequests: { who: elicitName() }, requestState: { asked: true } });

describe('time', () => {
  it('passes for an answer that comes later, on the clock of the run alone', async () => {
    const { factory, contexts } = playFactory(askWithState);
    const started = Date.now();
    const script = { request: callOf(), answers: [later(4 * MINUTE, later(5 * MINUTE, ADA))] };
    const { handshake, modern, differences } = await runOnBothEras(factory, script);
    expect(differences).toEqual([]);
    expect([handshake.steps[1], modern.steps[1]]).toMatchObject([{ after: 9 * MINUTE }, { after: 9 * MINUTE }]);
    expect(contexts.map(({ ports }) => ports.clock.now())).toEqual([9 * MINUTE, 9 * MINUTE, 9 * MINUTE]);
    expect(Date.now() - started).toBeLessThan(MINUTE);
  });

  it('runs out for an answer that comes after the round, and after its state', async () => {
    const { factory } = playFactory(askWithState);
    const { handshake, modern, differences } = await runOnBothEras(factory, {
      request: callOf(),
      answers: [later(10 * MINUTE, ADA)],
    });
    expect(handshake).toMatchObject({ ending: 'timeout', outcome: { reason: 'timeout', key: 'who' } });
    expect(handshake.steps[1]).toMatchObject({ said: 'accept', after: 10 * MINUTE, isLate: true });
    expect(modern).toMatchObject({ ending: 'timeout', error: { code: -32602 } });
    // The modern client cannot know that it is late.
    expect(differences).toEqual([]);
  });

  it('runs out before the next question of the round, which only a modern client is still asked: no difference', async () => {
    const { factory } = playFactory(({ ctx }) => {
      const inputRequests = { a: elicitName('A?'), b: elicitName('B?') };
      return ctx.round > 0 ? 'done' : inputRequired({ inputRequests, requestState: 1 });
    });
    const answers = { a: later(10 * MINUTE, ADA), b: ADA };
    const { handshake, modern, differences, unused } = await runOnBothEras(factory, { request: callOf(), answers });
    expect([handshake.ending, modern.ending, differences]).toEqual(['timeout', 'timeout', []]);
    expect([handshake.steps.length, modern.steps.length]).toEqual([2, 4]);
    expect(unused).toEqual(['handshake: answers.b (accept)']);
  });

  it('passes beside fake timers, also when those replace setImmediate', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate'] });
    onTestFinished(() => void vi.useRealTimers());
    const { factory } = playFactory(askWithState);
    const { differences } = await runOnBothEras(factory, { request: callOf(), answers: [later(MINUTE, ADA)] });
    expect(differences).toEqual([]);
  });

  it('has no end for a modern ask without a state: a difference', async () => {
    const { factory } = playFactory(askName);
    const { differences } = await runOnBothEras(factory, { request: callOf(), answers: [later(10 * MINUTE, ADA)] });
    expect(differences).toMatchObject([
      { what: 'answer' },
      { what: 'ending', handshake: { ending: 'timeout' }, modern: { result: textResult('Hello Ada') } },
    ]);
  });

  it('is as long as the options say', async () => {
    const { factory } = playFactory(askWithState);
    const options = { roundTimeout: 20 * MINUTE, requestState: { ttlSeconds: 20 * 60 } };
    const script = { request: callOf(), answers: [later(19 * MINUTE, ADA)], options };
    expect((await runOnBothEras(factory, script)).differences).toEqual([]);
  });

  it('moves to the end of the round when nobody answers, heartbeats and all', async () => {
    const { factory, contexts } = playFactory(askName);
    const { handshake } = await runOnBothEras(factory, { request: callOf(), answers: [never()] });
    expect(handshake.ending).toBe('timeout');
    expect(contexts[0]?.ports.clock.now()).toBe(10 * MINUTE);
    expect(handshake.steps.map(({ type }) => type)).toEqual(['question', 'answer']);
  });

  it('moves by the pause before a run that has only a state', async () => {
    const { factory, contexts } = playFactory(({ ctx }) =>
      ctx.round < 3 ? inputRequired({ requestState: { page: ctx.round } }) : `pages: ${ctx.round}`,
    );
    const { handshake, differences } = await runOnBothEras(factory, { request: callOf() });
    expect(differences).toEqual([]);
    expect(handshake.result).toEqual(textResult('pages: 3'));
    expect(contexts[0]?.ports.clock.now()).toBe(50 + 100 + 200);
  });

  it('is the clock of the run too for a server that the factory wraps with its ports, and keeps its own options', async () => {
    const { factory } = playFactory(askName);
    const wrapped: typeof factory = async (context) =>
      withInputRequiredShim(await factory(context), { ports: context.ports, roundTimeout: 3 * MINUTE });
    const { handshake } = await runOnBothEras(wrapped, { request: callOf(), answers: [later(4 * MINUTE, ADA)] });
    expect(handshake).toMatchObject({ ending: 'timeout' });
    expect(JSON.stringify(handshake.result)).toContain('roundTimeout is 180000 ms');
  });

  it('is a clock for each run, so that runs beside each other are not disturbed', async () => {
    const waits = [1, 3, 5, 7];
    const runs = waits.map(async (minutes) => {
      const { factory, contexts } = playFactory(askWithState);
      const answers = [later(minutes * MINUTE, accept({ name: `after ${minutes}` }))];
      const { modern, differences } = await runOnBothEras(factory, { request: callOf(), answers });
      expect(differences).toEqual([]);
      expect(modern.result).toEqual(textResult(`Hello after ${minutes}`));
      return contexts.map(({ ports }) => (ports.clock as ManualClock).now());
    });
    expect(await Promise.all(runs)).toEqual(waits.map((minutes) => Array(3).fill(minutes * MINUTE)));
  });
});
