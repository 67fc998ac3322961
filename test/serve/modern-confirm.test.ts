import { afterAll, beforeAll, expect, it } from 'vitest';
import { form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { callOf, retryOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const YES: Json = { action: 'accept', content: { confirmed: true } };
const SCHEMA = {
  type: 'object',
  properties: { confirmed: { type: 'boolean', title: 'Yes' } },
  required: ['confirmed'],
};
const capabilities = { elicitation: {} };
const FROZEN = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

/** Each is no explicit accepted yes. */
const NO: readonly (readonly [string, unknown])[] = [
  ['unticked', { action: 'accept', content: { confirmed: false } }],
  ['declined', { action: 'decline' }],
  ['declined with a ticked box', { action: 'decline', content: { confirmed: true } }],
  ['cancelled', { action: 'cancel' }],
  ['accepted without content', { action: 'accept' }],
  ['accepted with null content', { action: 'accept', content: null }],
  ['accepted with the text true', { action: 'accept', content: { confirmed: 'true' } }],
  ['accepted with another field', { action: 'accept', content: { confirm: true } }],
  ['an action that is none', { action: 'yes', content: { confirmed: true } }],
  ['an empty result', {}],
];

describeModern('[M2c] a confirmation by a modern client', (transport, sdk) => {
  let session: ModernSession;
  const events: Json[] = [];
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'asking', sdk });
  });
  afterAll(() => session.close());

  const erase = (files: number, tool = 'erase') => callOf(tool, { files }, { capabilities });
  /** The tool reports before it answers: what it did is known when its next call is. */
  const effects = async (): Promise<Json[]> => {
    await session.tell(erase(-1));
    const reports: Json[] = [];
    for (;;) {
      const report = await session.reports.next();
      reports.push(report);
      // The run of this very call is the last one.
      if (session.reports.all.length === reports.length + events.length) break;
    }
    events.push(...reports);
    return reports.filter((report) => 'erased' in report);
  };

  it('is asked as a form with one box to tick and a sealed state', async () => {
    const { answer } = await session.tell(erase(12));
    expect(answer['result']).toStrictEqual({
      resultType: 'input_required',
      inputRequests: { sure: form('Erase 12 files?', SCHEMA) },
      requestState: expect.stringMatching(/^v1\.[A-Za-z0-9_-]+$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'asking', version: '1' } },
    });
    expect(await effects()).toEqual([]);
  });

  it('is a yes with a ticked box and the state of the ask', async () => {
    const request = erase(12);
    const { answer } = await session.tell(request);
    const retried = await session.tell(retryOf(request, answer, { sure: YES }));
    expect(textOf(retried.answer)).toBe('erased');
    expect(await effects()).toEqual([{ erased: 12 }]);
  });

  it.each(NO)('is a no when it is %s', async (_name, given) => {
    const request = erase(12);
    const { answer } = await session.tell(request);
    const retried = await session.tell(retryOf(request, answer, { sure: given }));
    expect(textOf(retried.answer)).toBe('kept');
    expect(await effects()).toEqual([]);
  });

  it.each([
    ['without a state', (request: Json) => retryOf(request, { result: {} }, { sure: YES })],
    ['on the first call of all', () => callOf('erase', { files: 12 }, { capabilities })],
  ])('is asked again when a yes comes %s', async (_name, retry) => {
    const request = retry(erase(12));
    request['params'].inputResponses = { sure: YES };
    const { answer } = await session.tell(request);
    expect(answer['result']).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
    expect(await effects()).toEqual([]);
  });

  it.each([
    ['under another key', { other: YES }],
    ['under no key', {}],
    ['on the prototype', JSON.parse('{"__proto__":{"sure":{"action":"accept","content":{"confirmed":true}}}}')],
  ])('is asked again when a yes comes %s', async (_name, answers: Json) => {
    const request = erase(12);
    const { answer } = await session.tell(request);
    const retried = await session.tell(retryOf(request, answer, answers));
    expect(retried.answer['result']).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
    expect(await effects()).toEqual([]);
  });

  it.each([
    ['other arguments', () => erase(13)],
    ['another tool', () => erase(12, 'shred')],
  ])('is refused with the state of a call with %s', async (_name, other) => {
    const { answer } = await session.tell(other());
    const refused = await session.tell(retryOf(erase(12), answer, { sure: YES }));
    expect(refused.answer['error']).toStrictEqual(FROZEN);
    expect(await effects()).toEqual([]);
  });

  it('is asked again, and not read, when its text has changed', async () => {
    const request = callOf('buy', {}, { capabilities });
    const first = await session.tell(request);
    const again = await session.tell(retryOf(request, first.answer, { pay: YES }));
    const [before, after] = [first, again].map(({ answer }) => answer['result'].inputRequests.pay.params.message);
    expect([before, after]).toEqual([expect.stringMatching(/^Pay \d+\?$/), expect.stringMatching(/^Pay \d+\?$/)]);
    expect(before).not.toBe(after);
  });

  it('holds for the rest of its call', async () => {
    let request = callOf('twice', {}, { capabilities });
    const first = await session.tell(request);
    expect(Object.keys(first.answer['result'].inputRequests)).toEqual(['first']);
    request = retryOf(request, first.answer, { first: { action: 'decline' } });
    const second = await session.tell(request);
    expect(Object.keys(second.answer['result'].inputRequests)).toEqual(['second']);
    // A late yes to the first does not change what was decided.
    request = retryOf(request, second.answer, { first: YES, second: YES });
    expect(textOf((await session.tell(request)).answer)).toBe('no yes 2');
  });

  it('is not read from the round before: the ask of another key lists that key alone', async () => {
    let request = callOf('twice', {}, { capabilities });
    const first = await session.tell(request);
    request = retryOf(request, first.answer, { first: YES, second: YES });
    const second = await session.tell(request);
    expect(Object.keys(second.answer['result'].inputRequests)).toEqual(['second']);
  });
});
