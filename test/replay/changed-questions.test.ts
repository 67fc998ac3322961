import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { accepted, answering, askText, shouting } from './questions.ts';
import { eventsOf, play, serveBody } from './replay-session.ts';

const driftAt = (position: number) => ({ type: 'replay-drift', method: 'tools/call', target: 'act', position });

describe('[P1c] [F49] a question that is not the same in every run', () => {
  it('is asked anew, and the answer to the other one is left', async () => {
    let price = 0;
    const served = serveBody(async (act) => {
      price += 1;
      // It goes up once.
      return askText(act, `Pay ${Math.min(price, 2)}?`);
    });
    const { texts, answer } = await play(served, answering({ 'Pay 1?': 'yes', 'Pay 2?': 'no' }));
    expect(texts).toEqual([['Pay 1?'], ['Pay 2?']]);
    expect(textOf(answer)).toBe('no');
    expect(eventsOf(served, 'replay-drift')[0]).toStrictEqual(driftAt(1));
  });

  it('is told by its schema too', async () => {
    let run = 0;
    const served = serveBody(async ({ server }) => {
      run += 1;
      const name = run === 1 ? 'first' : 'second';
      const requestedSchema = { type: 'object' as const, properties: { [name]: { type: 'string' as const } } };
      const { content } = await server.elicitInput({ mode: 'form', message: 'Same?', requestedSchema });
      return JSON.stringify(content);
    });
    const { texts, answer } = await play(served, ({ params }) => ({
      action: 'accept',
      content: Object.fromEntries(Object.keys(params.requestedSchema.properties).map((name) => [name, name])),
    }));
    expect(texts).toEqual([['Same?'], ['Same?']]);
    expect(textOf(answer)).toBe('{"second":"second"}');
  });

  it('is not told by the order of its members', async () => {
    let run = 0;
    const served = serveBody(async ({ server }) => {
      run += 1;
      const requestedSchema = { type: 'object' as const, properties: {} };
      const { action } = await server.elicitInput(
        run % 2 === 1
          ? { mode: 'form', message: 'Same?', requestedSchema }
          : { requestedSchema, message: 'Same?', mode: 'form' },
      );
      return action;
    });
    const { texts, answer } = await play(served, () => ({ action: 'accept', content: {} }));
    expect([texts, textOf(answer)]).toEqual([[['Same?']], 'accept']);
  });

  it('never gets an answer where its text holds the time, and every run says so', async () => {
    let time = Date.UTC(2026, 6, 28);
    const served = serveBody(async (act) => {
      time += 1_000;
      return askText(act, `It is ${new Date(time).toISOString()}. Go on?`);
    });
    const { texts } = await play(served, () => accepted('yes'), { maxRounds: 3 });
    expect(texts).toEqual([
      ['It is 2026-07-28T00:00:01.000Z. Go on?'],
      ['It is 2026-07-28T00:00:02.000Z. Go on?'],
      ['It is 2026-07-28T00:00:03.000Z. Go on?'],
    ]);
    // The third run differs from the recording of the second, the second from that of the first.
    expect(eventsOf(served, 'replay-drift')).toStrictEqual([driftAt(1), driftAt(1)]);
  });

  it('ends with an error where it is random, before the ledger grows without end', async () => {
    const served = serveBody((act) => askText(act, `Type ${Math.random()}`), {
      options: { inputRequired: { requestState: { maxBytes: 1_024 } } },
    });
    const { rounds, answer } = await play(served, () => accepted('x'.repeat(5_000)), { maxRounds: 200 });
    expect(answer['error']).toMatchObject({ code: -32603, message: expect.stringContaining('too large') });
    expect(rounds.length).toBeLessThan(100);
  });
});

describe('two equal questions', () => {
  it('are kept apart, in a row', async () => {
    const served = serveBody(async (act) => `${await askText(act, 'Next?')} ${await askText(act, 'Next?')}`);
    let count = 0;
    const { texts, answer } = await play(served, () => accepted(String(++count)));
    expect(texts).toEqual([['Next?'], ['Next?']]);
    expect(textOf(answer)).toBe('1 2');
    expect(served.events).toEqual([]);
  });

  it('are kept apart, at once', async () => {
    const served = serveBody(async (act) =>
      (await Promise.all([askText(act, 'Next?'), askText(act, 'Next?')])).join(' '),
    );
    let count = 0;
    const { texts, answer } = await play(served, () => accepted(String(++count)));
    expect(texts).toEqual([['Next?', 'Next?']]);
    expect(textOf(answer)).toBe('1 2');
  });
});

describe('a replay that asks in another order than the recording', () => {
  it('gets the recorded answers where the questions are the same, and an event names the first difference', async () => {
    let run = 0;
    const served = serveBody(async (act) => {
      run += 1;
      const order = run <= 3 ? ['a', 'b', 'c'] : ['a', 'c', 'b'];
      const said: string[] = [];
      for (const message of order) said.push(await askText(act, message));
      return said.join(' ');
    });
    const { texts, answer } = await play(served, shouting);
    expect(texts).toEqual([['a'], ['b'], ['c']]);
    expect(textOf(answer)).toBe('A C B');
    expect(served.events).toStrictEqual([driftAt(2)]);
  });

  it('is named where a new question comes in between', async () => {
    let run = 0;
    const served = serveBody(async (act) => {
      run += 1;
      const order = run === 1 ? ['a', 'b'] : ['new', 'a', 'b'];
      const said: string[] = [];
      for (const message of order) said.push(await askText(act, message));
      return said.join(' ');
    });
    const { texts, answer } = await play(served, shouting);
    expect(texts).toEqual([['a'], ['new'], ['b']]);
    expect(textOf(answer)).toBe('NEW A B');
    expect(eventsOf(served, 'replay-drift')[0]).toStrictEqual(driftAt(1));
  });

  it('is named where it leaves a question out', async () => {
    let run = 0;
    const served = serveBody(async (act) => {
      run += 1;
      const order = run <= 2 ? ['a', 'b'] : ['b'];
      const said: string[] = [];
      for (const message of order) said.push(await askText(act, message));
      return said.join(' ');
    });
    const { answer } = await play(served, shouting);
    expect(textOf(answer)).toBe('B');
    expect(served.events).toStrictEqual([driftAt(1)]);
  });
});
