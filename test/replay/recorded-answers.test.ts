import { inMemorySingleUseStore } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { modern, retryOf, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { accepted, askText } from './questions.ts';
import { type Act, eventsOf, firstCall, isAsk, KEY, questionsOf, serveBody } from './replay-session.ts';

const FROZEN = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

const threeInARow = async (act: Act) =>
  `${await askText(act, 'a')} ${await askText(act, 'b')} ${await askText(act, 'c')}`;

const keyOf = ({ result }: Json): string => Object.keys(result.inputRequests)[0] ?? '';

describe('[P1d] [F49] recorded answers', () => {
  it('win over a retry that sends others under their keys', async () => {
    const { tell } = serveBody(threeInARow);
    const request = firstCall();
    const { answer: first } = await tell(request);
    const { answer: second } = await tell(retryOf(request, first, { [keyOf(first)]: accepted('A') }));
    const given = { [keyOf(first)]: accepted('other'), [keyOf(second)]: accepted('B') };
    const { answer: third } = await tell(retryOf(request, second, given));
    const all = { ...given, [keyOf(second)]: accepted('other'), [keyOf(third)]: accepted('C') };
    const { answer } = await tell(retryOf(request, third, all));
    expect(textOf(answer)).toBe('A B C');
  });

  it('are asked under a key of their own each', async () => {
    const { tell } = serveBody(threeInARow);
    const request = firstCall();
    const { answer: first } = await tell(request);
    const { answer: second } = await tell(retryOf(request, first, { [keyOf(first)]: accepted('A') }));
    const { answer: third } = await tell(retryOf(request, second, { [keyOf(second)]: accepted('B') }));
    expect(new Set([first, second, third].map(keyOf)).size).toBe(3);
  });

  it('are none where no state came with the answers', async () => {
    const { tell } = serveBody(threeInARow);
    const { answer: first } = await tell(firstCall());
    const guessed = { [keyOf(first)]: accepted('A'), a: accepted('A') };
    const request = modern(
      'tools/call',
      { name: 'act', arguments: {}, inputResponses: guessed },
      { capabilities: ALL_CAPABILITIES },
    );
    const { answer } = await tell(request);
    expect(questionsOf(answer).map(({ params }) => params.message)).toEqual(['a']);
  });

  it('are none where an answer comes under a key that was not asked', async () => {
    const { tell } = serveBody(threeInARow);
    const request = firstCall();
    const { answer: first } = await tell(request);
    const { answer: again } = await tell(retryOf(request, first, { other: accepted('A'), constructor: accepted('A') }));
    expect(questionsOf(again).map(({ params }) => params.message)).toEqual(['a']);
  });

  it('are none where the state comes back with no answers at all, and the question is asked again', async () => {
    const { tell } = serveBody(threeInARow);
    const request = firstCall();
    const { answer: first } = await tell(request);
    for (const answers of [undefined, {}]) {
      const { answer: again } = await tell(retryOf(request, first, answers));
      expect(questionsOf(again)).toStrictEqual(questionsOf(first));
    }
  });
});

describe('a client that answers', () => {
  it('the same round twice gets the same, and the handler is where it was', async () => {
    const { tell } = serveBody(threeInARow);
    const request = firstCall();
    const { answer: first } = await tell(request);
    const answers = { [keyOf(first)]: accepted('A') };
    const { answer: once } = await tell(retryOf(request, first, answers));
    const { answer: twice } = await tell(retryOf(request, first, answers));
    expect(questionsOf(twice)).toStrictEqual(questionsOf(once));
    expect(questionsOf(twice).map(({ params }) => params.message)).toEqual(['b']);
  });

  it('the same round twice is refused the second time where states are used once', async () => {
    let runs = 0;
    const body = (act: Act) => {
      runs += 1;
      return threeInARow(act);
    };
    const requestState = { singleUse: inMemorySingleUseStore() };
    const served = serveBody(body, { options: { inputRequired: { requestState } } });
    const request = firstCall();
    const { answer: first } = await served.tell(request);
    const answers = { [keyOf(first)]: accepted('A') };
    const { answer: once } = await served.tell(retryOf(request, first, answers));
    const { answer: twice } = await served.tell(retryOf(request, first, answers));
    expect([isAsk(once), twice['error'], runs]).toEqual([true, FROZEN, 2]);
    expect(eventsOf(served, 'state-refused')).toMatchObject([{ cause: 'used', method: 'tools/call', target: 'act' }]);
  });

  it('an earlier round late, once the call is over, replays from there and changes nothing else', async () => {
    const { tell } = serveBody(async (act) => `${await askText(act, 'a')} ${await askText(act, 'b')}`);
    const request = firstCall();
    const { answer: first } = await tell(request);
    const { answer: second } = await tell(retryOf(request, first, { [keyOf(first)]: accepted('A') }));
    const { answer: over } = await tell(retryOf(request, second, { [keyOf(second)]: accepted('B') }));
    const { answer: late } = await tell(retryOf(request, first, { [keyOf(first)]: accepted('late') }));
    const { answer: still } = await tell(retryOf(request, second, { [keyOf(second)]: accepted('B') }));
    expect([textOf(over), isAsk(late), textOf(still)]).toEqual(['A B', true, 'A B']);
  });

  it('after the state has expired is refused, and no handler runs', async () => {
    let runs = 0;
    let now = Date.UTC(2026, 6, 28);
    const state = { keys: [KEY], ports: { now: () => now } };
    const body = (act: Act) => {
      runs += 1;
      return askText(act, 'a');
    };
    const served = serveBody(body, { options: { inputRequired: { requestState: state } } });
    const request = firstCall();
    const { answer: first } = await served.tell(request);
    now += 600_000;
    const { answer } = await served.tell(retryOf(request, first, { [keyOf(first)]: accepted('A') }));
    expect([answer['error'], runs]).toEqual([FROZEN, 1]);
    expect(eventsOf(served, 'state-refused')).toMatchObject([{ cause: 'expired' }]);
  });

  it('with the state of another call is refused, and no handler runs', async () => {
    let runs = 0;
    const served = serveBody((act) => {
      runs += 1;
      return askText(act, `${act.n}?`);
    });
    const { answer: other } = await served.tell(firstCall(1));
    const retry = retryOf(firstCall(2), other, { [keyOf(other)]: accepted('A') });
    const { answer } = await served.tell(retry);
    expect([answer['error'], runs]).toEqual([FROZEN, 1]);
    expect(eventsOf(served, 'state-refused')).toMatchObject([{ cause: 'wrong-binding' }]);
  });

  it.each([
    ['with a state of its own making', 'v1.AAAA'],
    ['with an empty state', ''],
    ['with null', null],
    ['with an object', {}],
  ])('%s is refused, and no handler runs', async (_name, requestState) => {
    let runs = 0;
    const served = serveBody((act) => {
      runs += 1;
      return askText(act, 'a');
    });
    const params = { name: 'act', arguments: {}, inputResponses: { 'question-1': accepted('A') }, requestState };
    const { answer } = await served.tell(modern('tools/call', params, { capabilities: ALL_CAPABILITIES }));
    expect([answer['error'], runs]).toEqual([FROZEN, 0]);
  });

  it('with answers that are no object gets -32602, and no handler runs', async () => {
    let runs = 0;
    const served = serveBody((act) => {
      runs += 1;
      return askText(act, 'a');
    });
    const request = firstCall();
    const { answer: first } = await served.tell(request);
    const { answer } = await served.tell(retryOf(request, first, ['A'] as never));
    expect([answer['error'].code, runs]).toEqual([-32602, 1]);
  });

  it('a question with what answers another of the same kind is read as answering it', async () => {
    const { tell } = serveBody(async (act) => (await Promise.all([askText(act, 'a'), askText(act, 'b')])).join(' '));
    const request = firstCall();
    const { answer: first } = await tell(request);
    const [a = '', b = ''] = Object.keys(first['result'].inputRequests);
    const { answer } = await tell(retryOf(request, first, { [a]: accepted('for b'), [b]: accepted('for a') }));
    expect(textOf(answer)).toBe('for b for a');
  });
});

describe('someone else', () => {
  const auth = (clientId: string, sub: string) => ({
    token: 't',
    clientId,
    scopes: [],
    extra: { sub, iss: 'https://i.test' },
  });

  it('cannot go on with a call by its state', async () => {
    let runs = 0;
    const { handler } = serveBody((act) => {
      runs += 1;
      return askText(act, 'a');
    });
    const request = firstCall();
    const tellAs = async (message: Json, authInfo: Json): Promise<Json> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'act',
      };
      const post = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
      const response = await handler.fetch(post, { authInfo: authInfo as never });
      const text = await response.text();
      return JSON.parse(text.startsWith('{') ? text : (text.split('data: ').at(-1) ?? '')) as Json;
    };
    const first = await tellAs(request, auth('app', 'ada'));
    const retry = retryOf(request, first, { [keyOf(first)]: accepted('A') });
    for (const other of [auth('app', 'eve'), auth('other', 'ada')]) {
      expect((await tellAs(retry, other))['error']).toEqual(FROZEN);
    }
    expect(runs).toBe(1);
    expect(textOf(await tellAs(retry, auth('app', 'ada')))).toBe('A');
  });
});
