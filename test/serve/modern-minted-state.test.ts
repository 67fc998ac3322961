import { createRequestStateCodec } from 'mcp-dual-era';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADA } from '../support/asks.ts';
import { callOf, retryOf, textOf } from './modern-message.ts';
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
