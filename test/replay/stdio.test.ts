import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOG_LEVEL } from '../serve/malformed-request.ts';
import { callOf, retryOf, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES, ROOTS, SAMPLED } from '../support/asks.ts';
import { accepted, answering, DECLINED, formOf, shouting } from './questions.ts';
import { eventsComeTo, openReplay, type ReplayProcess, spawnReplay } from './replay-process.ts';
import { answersTo, isAsk, KEY, type Person, play, questionsOf } from './replay-session.ts';

const call = (name: string, n = 0, meta = {}) => callOf(name, { n }, { capabilities: ALL_CAPABILITIES, meta });

const everything: Person = ({ method, params }) => {
  if (method === 'sampling/createMessage') return SAMPLED;
  if (method === 'roots/list') return ROOTS;
  return params.mode === 'url' ? { action: 'accept' } : accepted('Ada');
};

describe.each(['newest'] as const)('[F49] a handler on one stdio pipe (%s SDK v1)', (sdk) => {
  let served: ReplayProcess;
  beforeAll(() => {
    served = openReplay({ sdk });
  });
  afterAll(() => served.close());

  const eventsOn = (target: string) => served.events.filter((event) => event['target'] === target);

  it('asks five questions in five rounds', async () => {
    const { texts, answer } = await play(served, shouting, { request: call('five') });
    expect(texts).toEqual([1, 2, 3, 4, 5].map((index) => [`Question ${index}?`]));
    expect(textOf(answer)).toBe('QUESTION 1? QUESTION 2? QUESTION 3? QUESTION 4? QUESTION 5?');
  });

  it('asks the three of a Promise.all in one round, of which one is declined', async () => {
    const { rounds, answer } = await play(served, answering({ a: 'A', b: DECLINED, c: 'C' }), {
      request: call('three'),
    });
    expect(rounds).toStrictEqual([[formOf('a'), formOf('b'), formOf('c')]]);
    expect(textOf(answer)).toBe('A decline C');
  });

  it('asks every kind', async () => {
    const { texts, answer } = await play(served, everything, { request: call('kinds') });
    expect(texts).toEqual([['Name?'], ['Sign in'], ['sampling/createMessage'], ['roots/list']]);
    expect(textOf(answer)).toBe('Ada accept short file:///home/ada');
  });

  it('counts in every run, but once with once', async () => {
    const { answer } = await play(served, shouting, { request: call('counted') });
    expect(textOf(answer)).toBe('AB before 3, kept 1, between 2, after 1');
  });

  it('is reported once where its clean-up in a finally takes a while, and comes to its result', async () => {
    const { answer } = await play(served, shouting, { request: call('folder') });
    const event = { type: 'continued-after-suspend', method: 'tools/call', target: 'folder' };
    expect(textOf(answer)).toBe('true');
    await eventsComeTo(() => eventsOn('folder'), [event]);
  });

  it('tells nobody what it does after its question, where it swallows the error', async () => {
    const meta = { [LOG_LEVEL]: 'debug' };
    const request = call('swallow', 0, meta);
    const { notifications, answer } = await served.tell(request);
    expect([isAsk(answer), notifications]).toEqual([true, []]);
    const final = await served.tell(retryOf(request, answer, answersTo(answer, shouting), { meta }));
    expect(final.notifications).toMatchObject([{ params: { data: 'heard A' } }]);
    expect(textOf(final.answer)).toBe('A');
    const event = { type: 'continued-after-suspend', method: 'tools/call', target: 'swallow' };
    await eventsComeTo(() => eventsOn('swallow'), [event]);
  });

  it('asks once where it asks the same again after the error', async () => {
    const { texts, answer } = await play(served, shouting, { request: call('retry') });
    expect([texts, textOf(answer)]).toEqual([[['a']], 'A']);
    const event = { type: 'continued-after-suspend', method: 'tools/call', target: 'retry' };
    await eventsComeTo(() => eventsOn('retry'), [event]);
  });

  it('has nothing to complain of', () => {
    expect(served.complaints).toEqual([]);
  });
});

describe('two processes with the same key', () => {
  it('go on where the other left off', async () => {
    const settings = { options: { inputRequired: { requestState: { keys: [KEY] } } } };
    const processes = [spawnReplay(settings), spawnReplay(settings)] as const;
    const request = call('counted');
    const { answer: first } = await processes[0].tell(request);
    const { answer: second } = await processes[1].tell(retryOf(request, first, answersTo(first, shouting)));
    expect(questionsOf(second)).toStrictEqual([formOf('b')]);
    const { answer } = await processes[0].tell(retryOf(request, second, answersTo(second, shouting)));
    // Each process counts for itself; the effect has happened in the first one alone.
    expect(textOf(answer)).toBe('AB before 2, kept 1, between 1, after 1');
    const { answer: counts } = await processes[1].tell(call('counts'));
    expect(JSON.parse(textOf(counts))).toEqual({ before: 1, between: 1 });
  });
});

describe('two processes with a key each', () => {
  it('do not go on with what the other asked, and no handler runs', async () => {
    const processes = [spawnReplay(), spawnReplay()] as const;
    const request = call('counted');
    const { answer: first } = await processes[0].tell(request);
    const { answer } = await processes[1].tell(retryOf(request, first, answersTo(first, shouting)));
    expect(answer['error']).toEqual({
      code: -32602,
      message: 'Invalid or expired requestState',
      data: { reason: 'invalid_request_state' },
    });
    expect(textOf((await processes[1].tell(call('counts'))).answer)).toBe('{}');
    const refused = { type: 'state-refused', cause: 'other-ephemeral-key' };
    await eventsComeTo(() => processes[1].events, [expect.objectContaining(refused)]);
  });
});

describe.each(['reject', 'pending'] as const)(
  'a run that does not end with its question, with suspend: %s',
  (suspend) => {
    let served: ReplayProcess;
    beforeAll(() => {
      served = openReplay({ options: { suspend } });
    });
    afterAll(() => served.close());

    it('leaves every call with its ask, of which none is ever answered', async () => {
      const names = ['two', 'five', 'three', 'kinds', 'counted', 'folder'];
      for (const name of names) expect(isAsk((await served.tell(call(name))).answer)).toBe(true);
    });

    it('leaves no timer where a part of it asks much later', async () => {
      const { answer: before } = await served.tell(call('timers'));
      for (let calls = 0; calls < 3; calls += 1) expect(isAsk((await served.tell(call('late'))).answer)).toBe(true);
      // The late questions come within a few turns of the loop, each of these takes more.
      for (let calls = 0; calls < 10; calls += 1) await served.tell(call('counts'));
      const { answer: after } = await served.tell(call('timers'));
      expect(Number(textOf(after)) - Number(textOf(before))).toBeLessThan(3);
      expect(served.events.filter(({ type }) => type === 'error')).toEqual([]);
    });

    it('does not keep the process from everything else where it asks again whatever happens', async () => {
      const { answer } = await served.tell(call('stubborn'));
      expect(isAsk(answer)).toBe(true);
      const { answer: counts } = await served.tell(call('counts'));
      expect(JSON.parse(textOf(counts))['tried']).toBeLessThan(10);
      const final = await play(served, shouting, { request: call('stubborn') });
      expect(textOf(final.answer)).toBe('A');
    });

    it('does not end the process where its question is not awaited yet, and the answer is there when it is', async () => {
      const played = play(served, shouting, { request: call('meanwhile') });
      const first = await Promise.race([played, served.exited]);
      expect(first).toMatchObject({ texts: [['a']], answer: { result: { content: [{ text: 'A' }] } } });
      expect(served.complaints).toEqual([]);
    });

    it('leaves nothing that keeps the process, once the client is gone', async () => {
      const start = performance.now();
      await served.close();
      // Not by a signal, and far less than the 60 s after which a request of SDK v1's own gives up.
      expect(await served.exited).toBe(0);
      expect(performance.now() - start).toBeLessThan(5_000);
    });
  },
);
