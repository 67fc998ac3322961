import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { answering, askText, DECLINED, formOf, shouting } from './questions.ts';
import { eventsOf, firstCall, play, serveBody } from './replay-session.ts';

const STATE = /^v1\.[A-Za-z0-9_-]+$/;

describe.each(['newest', 'oldest'] as const)('[P1a] [F49] a handler that asks in mid-body (%s SDK v1)', (sdk) => {
  it('goes out as an ask of one question with a sealed state, and nothing else', async () => {
    const served = serveBody((act) => askText(act, 'Name?'), { sdk });
    const request = firstCall();
    const { answer, notifications } = await served.tell(request);
    expect(answer).toStrictEqual({
      jsonrpc: '2.0',
      id: request['id'],
      result: {
        resultType: 'input_required',
        inputRequests: { [Object.keys(answer['result'].inputRequests)[0] ?? '']: formOf('Name?') },
        requestState: expect.stringMatching(STATE),
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'acting', version: '1' } },
      },
    });
    expect(notifications).toEqual([]);
  });

  it('is given the answer, and its result is the result of the call', async () => {
    const served = serveBody(async (act) => `Hello ${await askText(act, 'Name?')}`, { sdk });
    const { answer } = await play(served, answering({ 'Name?': 'Ada' }));
    expect(answer['result']).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'Hello Ada' }] });
    expect(served.events).toEqual([]);
  });

  it('asks two questions in two rounds', async () => {
    const served = serveBody(async (act) => `${await askText(act, 'a')} ${await askText(act, 'b')}`, { sdk });
    const { texts, answer } = await play(served, shouting);
    expect(texts).toEqual([['a'], ['b']]);
    expect(textOf(answer)).toBe('A B');
  });

  it('asks five questions in five rounds', async () => {
    const served = serveBody(
      async (act) => {
        const first = await askText(act, 'a');
        const second = await askText(act, 'b');
        const third = await askText(act, 'c');
        const fourth = await askText(act, 'd');
        return [first, second, third, fourth, await askText(act, 'e')].join(' ');
      },
      { sdk },
    );
    const { texts, answer } = await play(served, shouting);
    expect(texts).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
    expect(textOf(answer)).toBe('A B C D E');
  });

  it('asks in a loop until it has enough', async () => {
    const served = serveBody(
      async (act) => {
        const names: string[] = [];
        while (names.at(-1) !== 'stop') names.push(await askText(act, `Name ${names.length + 1}?`));
        return names.join(' ');
      },
      { sdk },
    );
    const person = answering({ 'Name 1?': 'Ada', 'Name 2?': 'Grace', 'Name 3?': 'stop' });
    const { texts, answer } = await play(served, person);
    expect(texts).toEqual([['Name 1?'], ['Name 2?'], ['Name 3?']]);
    expect(textOf(answer)).toBe('Ada Grace stop');
  });

  it('goes another way after another answer', async () => {
    const served = serveBody(
      async (act) =>
        (await askText(act, 'Deploy?')) === 'yes' ? `to ${await askText(act, 'Where?')}` : await askText(act, 'Why?'),
      { sdk },
    );
    const yes = await play(served, answering({ 'Deploy?': 'yes', 'Where?': 'Mars' }));
    expect([yes.texts, textOf(yes.answer)]).toEqual([[['Deploy?'], ['Where?']], 'to Mars']);
    const no = await play(served, answering({ 'Deploy?': DECLINED, 'Why?': 'Later' }));
    expect([no.texts, textOf(no.answer)]).toEqual([[['Deploy?'], ['Why?']], 'Later']);
  });

  it('asks the questions of a Promise.all in one round, of which one is declined', async () => {
    const served = serveBody(
      async (act) => {
        const [first, second, third] = await Promise.all([askText(act, 'a'), askText(act, 'b'), askText(act, 'c')]);
        return `${first} ${second} ${third}`;
      },
      { sdk },
    );
    const { rounds, answer } = await play(served, answering({ a: 'A', b: DECLINED, c: 'C' }));
    expect(rounds).toStrictEqual([[formOf('a'), formOf('b'), formOf('c')]]);
    expect(textOf(answer)).toBe('A decline C');
    expect(served.events).toEqual([]);
  });

  it('asks the next questions of two branches in one round each', async () => {
    const branch = async (act: Parameters<typeof askText>[0], name: string) =>
      `${await askText(act, `${name}1`)}${await askText(act, `${name}2`)}`;
    const served = serveBody(async (act) => (await Promise.all([branch(act, 'a'), branch(act, 'b')])).join(' '), {
      sdk,
    });
    const { texts, answer } = await play(served, shouting);
    expect(texts).toEqual([
      ['a1', 'b1'],
      ['a2', 'b2'],
    ]);
    expect(textOf(answer)).toBe('A1A2 B1B2');
    expect(eventsOf(served, 'replay-drift')).toEqual([]);
  });

  it('gives content that SDK v1 refuses to the handler as SDK v1 does: as an error', async () => {
    const served = serveBody((act) => askText(act, 'a').catch(({ message }: Error) => message), { sdk });
    const { answer } = await play(served, () => ({ action: 'accept', content: { text: 5 } }));
    expect(textOf(answer)).toContain('Elicitation response content does not match requested schema');
  });
});
