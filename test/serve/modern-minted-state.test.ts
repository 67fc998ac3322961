import { createRequestStateCodec } from 'mcp-dual-era';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { callOf, modern, retryOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const capabilities = { elicitation: {} };
const KEY = '0123456789abcdef0123456789abcdef';

describeModern('[Q9a] a state that mintRequestState sealed for a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    const options = { inputRequired: { requestState: { keys: KEY } } };
    session = await openModernSession(transport, { factory: 'asking', sdk, options });
  });
  afterAll(() => session.close());

  it('comes back as the value, with the answer', async () => {
    const request = callOf('minted', {}, { capabilities });
    const { answer } = await session.tell(request);
    expect(answer['result'].requestState).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    const final = await session.tell(retryOf(request, answer, { who: ADA }));
    expect(JSON.parse(textOf(final.answer))).toEqual([{ step: 1 }, 'Ada']);
  });

  it('is counted through the rounds like any other', async () => {
    let request = callOf('count', { to: 3 }, { capabilities });
    const notes: string[] = [];
    for (const name of ['Ada', 'Bo', 'Cy']) {
      const { answer } = await session.tell(request);
      notes.push(answer['result'].inputRequests.who.params.message);
      request = retryOf(request, answer, { who: { action: 'accept', content: { name } } });
    }
    expect(notes).toEqual(['Your name?\n\n0 so far', 'Your name?\n\n1 so far', 'Your name?\n\n2 so far']);
    expect(textOf((await session.tell(request)).answer)).toBe('Ada Bo Cy in 3');
  });
});

describe('a state that a codec of the same key minted for anything else', () => {
  it('is refused as the state of an ask', async () => {
    const options = { inputRequired: { requestState: { keys: KEY } } };
    const session = await openModernSession('http', { factory: 'asking', options });
    const request = callOf('minted', {}, { capabilities });
    const codec = createRequestStateCodec({ keys: KEY });
    const { name, arguments: args } = request['params'];
    const requestState = codec.mint({ r: 1 }, { method: 'tools/call', params: { name, arguments: args } });
    const { answer } = await session.tell(retryOf(request, { result: { requestState } }, { who: ADA }));
    await session.close();
    expect(answer['error']).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
  });
});

describe('[Q9b] a text that was not minted for the call, as the state of an ask', () => {
  it.each(METHODS)('is -32603 and an error event, and nobody is asked: %s', async (method) => {
    const session = await openModernSession('http', { factory: 'script' });
    const params = scriptParams(method, [ask({ q: form() }, 'step 1')]);
    const { answer } = await session.tell(modern(method, params, { capabilities }));
    await session.close();
    expect(answer['result']).toBeUndefined();
    expect(answer['error']).toMatchObject({ code: -32603, message: expect.stringContaining('cannot ask: ') });
    expect(session.reports.all.filter(({ event }) => event?.type === 'error')).toHaveLength(1);
    expect(JSON.stringify([answer, session.reports.all])).not.toContain('step 1');
  });
});
