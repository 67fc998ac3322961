import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADA,
  ALL_CAPABILITIES,
  ask,
  form,
  NAME_FORM,
  ROOTS,
  roots,
  SAMPLED,
  sampling,
  samplingWithTools,
  stateOnly,
  told,
  url,
} from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { modern, retryOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const STATE = /^v1\.[A-Za-z0-9_-]+$/;
const IDENTITY = { 'io.modelcontextprotocol/serverInfo': { name: 'script', version: '1' } };
const withMember = (question: Json, more: Json): Json => ({
  ...question,
  params: { ...question['params'], ...more },
});
const unmoded = { message: 'Your name?', requestedSchema: NAME_FORM };

/** A question as the handler has it, as the client reads it, and an answer. */
const KINDS: readonly (readonly [string, Json, Json, Json])[] = [
  ['a form', form(), form(), ADA],
  ['a form without a mode', { method: 'elicitation/create', params: unmoded }, form(), ADA],
  [
    'a form with a note',
    withMember(form(), { note: 'As in your passport.' }),
    form('Your name?\n\nAs in your passport.'),
    ADA,
  ],
  ['a form with an empty note', withMember(form(), { note: '' }), form(), ADA],
  ['a URL', url(), url(), { action: 'accept' }],
  ['a URL with an id', withMember(url(), { elicitationId: 'mine' }), url(), { action: 'accept' }],
  ['a URL with a note', withMember(url(), { note: 'Soon.' }), url('Sign in\n\nSoon.'), { action: 'accept' }],
  ['a sampling request', sampling(), sampling(), SAMPLED],
  ['a sampling request with tools', samplingWithTools(), samplingWithTools(), SAMPLED],
  ['a roots request', roots(), roots(), ROOTS],
];

describeModern('[M2a] an ask to a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'script', sdk });
  });
  afterAll(() => session.close());

  const play = (method: string, script: readonly unknown[]) =>
    modern(method, scriptParams(method, script), { capabilities: ALL_CAPABILITIES });

  for (const method of METHODS) {
    it.each(KINDS)(`of ${method} is %s and nothing else`, async (_name, asked, sent, answer) => {
      const request = play(method, [ask({ q: asked })]);
      const exchange = await session.tell(request);
      expect(exchange.answer).toStrictEqual({
        jsonrpc: '2.0',
        id: request['id'],
        result: { resultType: 'input_required', inputRequests: { q: sent }, _meta: IDENTITY },
      });
      expect([exchange.notifications, exchange.status]).toEqual([[], transport === 'http' ? 200 : 0]);
      const { answer: final } = await session.tell(retryOf(request, exchange.answer, { q: answer }));
      expect(final['result'].resultType).toBe('complete');
      expect(told(final)).toMatchObject({ round: 1, responses: { q: answer } });
    });

    it(`of ${method} has all its questions in the handler's order, and a sealed state`, async () => {
      const request = play(method, [ask({ b: form('B?'), a: roots(), 1: url() }, { step: 1 })]);
      const { answer } = await session.tell(request);
      const { result } = answer;
      expect(Object.keys(result).sort()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType']);
      expect(result.inputRequests).toStrictEqual({ b: form('B?'), a: roots(), 1: url() });
      expect(result.requestState).toMatch(STATE);
      expect(result.requestState).not.toContain('step');
    });

    it(`of ${method} may have a state alone`, async () => {
      const request = play(method, [stateOnly(['page', 2])]);
      const { answer } = await session.tell(request);
      expect(Object.keys(answer['result']).sort()).toEqual(['_meta', 'requestState', 'resultType']);
      const { answer: final } = await session.tell(retryOf(request, answer));
      expect(told(final)).toMatchObject({ round: 1, responses: null, state: ['page', 2] });
    });

    it(`of ${method} keeps the _meta of the handler's own`, async () => {
      const request = play(method, [{ ...ask({ q: form() }), _meta: { 'acme/trace': 7 } }]);
      const { answer } = await session.tell(request);
      expect(answer['result']).toStrictEqual({
        resultType: 'input_required',
        inputRequests: { q: form() },
        _meta: { 'acme/trace': 7, ...IDENTITY },
      });
    });

    it(`of ${method} counts its rounds where it has a state`, async () => {
      const script = [ask({ a: form('A?') }, 1), ask({ b: form('B?') }, 2), ask({ c: form('C?') }, 3)];
      let request = play(method, script);
      for (const key of ['a', 'b', 'c']) {
        const { answer } = await session.tell(request);
        expect(Object.keys(answer['result'].inputRequests)).toEqual([key]);
        request = retryOf(request, answer, { [key]: ADA });
      }
      const { answer } = await session.tell(request);
      expect(told(answer)).toMatchObject({ round: 3, responses: { c: ADA }, state: 3 });
    });
  }

  it.each([
    ['neither questions nor a state', { resultType: 'input_required' }],
    ['no question and no state', ask({})],
    ['a state that is not sealed', ask({ q: form() }, 'plain text')],
    ['an unknown kind', ask({ q: { method: 'acme/ask', params: {} } })],
    ['a schema that is none', ask({ q: form('Name?', { type: 'array' }) })],
    ['a URL with credentials', ask({ q: url('Sign in', 'https://a:b@mcp.example.com/') })],
  ])('with %s is a mistake of the server: -32603, and an event', async (_name, asked) => {
    const request = play('tools/call', [asked]);
    const { answer } = await session.tell(request);
    expect(answer).toMatchObject({ id: request['id'], error: { code: -32603 } });
    expect(answer['result']).toBeUndefined();
    for (;;) {
      const { event } = await session.reports.next();
      if (event?.type !== 'error') continue;
      expect(event).toMatchObject({ method: 'tools/call', target: 'script' });
      break;
    }
  });
});
