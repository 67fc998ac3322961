import { createRequestStateCodec, type RequestStateCodec } from 'mcp-dual-era';
import type { HttpServeOptions } from 'mcp-dual-era/serve';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { scriptParams } from '../support/script-server.ts';
import { callOf, modern, retryOf, textOf } from './modern-message.ts';
import { type ServedOverHttp, serveModern } from './modern-session.ts';
import { mirrorHeaders } from './play-vector.ts';

const capabilities = { elicitation: {} };
const YES: Json = { action: 'accept', content: { confirmed: true } };
const FROZEN = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

let served: ServedOverHttp;
afterEach(() => served.close());

async function serve(inputRequired: HttpServeOptions['inputRequired'] & object): Promise<ServedOverHttp> {
  served = await serveModern({ factory: 'asking', options: { inputRequired } });
  return served;
}

/** A codec as a user would write one: it keeps the payloads, and gives out their numbers. */
class NumberingCodec implements RequestStateCodec {
  readonly payloads: unknown[] = [];

  async mint(payload: unknown): Promise<string> {
    return `n${this.payloads.push(structuredClone(payload)) - 1}`;
  }

  async verify(state: unknown): Promise<unknown> {
    const number = Number(String(state).slice(1));
    if (!(number in this.payloads)) throw new Error('unknown number: tell nobody');
    return this.payloads[number];
  }
}

describe('[Q9e] a codec of the user’s own on the modern leg', () => {
  it('carries a question to its answer, and a minted state to its handler', async () => {
    const codec = new NumberingCodec();
    const { tell } = await serve({ requestState: codec });
    const erase = callOf('erase', { files: 3 }, { capabilities });
    const asked = (await tell(erase)).answer;
    expect(asked['result'].requestState).toBe('n0');
    expect(textOf((await tell(retryOf(erase, asked, { sure: YES }))).answer)).toBe('erased');

    const minted = callOf('minted', {}, { capabilities });
    const { answer } = await tell(minted);
    const final = await tell(retryOf(minted, answer, { who: ADA }));
    expect(JSON.parse(textOf(final.answer))).toEqual([{ step: 1 }, 'Ada']);
  });

  it.each([
    ['it refuses', 'n7'],
    ['it opens, but which is a value minted beside the rounds', 'n0'],
    ['it opens to a text', 'n1'],
    ['it opens to the mark among others', 'n2'],
    ['it opens to nothing', 'n3'],
  ])('has a state refused before the handler runs which %s', async (_name, requestState) => {
    const codec = new NumberingCodec();
    const { tell, reports } = await serve({ requestState: codec });
    codec.payloads.push({ step: 1 }, 'text', { 'mcp-dual-era/ask': { r: 0 }, more: 1 }, undefined);
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { answer } = await tell(retryOf(request, { result: { requestState } }, { sure: YES }));
    expect(answer['error']).toStrictEqual(FROZEN);
    expect(JSON.stringify(answer)).not.toContain('tell nobody');
    const cause = requestState === 'n7' ? 'codec-refused' : 'malformed';
    expect(reports.all).toMatchObject([{ event: { type: 'state-refused', cause } }]);
  });

  it('has a state refused which is no text, without being asked', async () => {
    const verify = (): never => {
      throw new TypeError('asked');
    };
    const { tell, reports } = await serve({ requestState: { mint: () => 'sealed', verify } });
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { answer } = await tell(retryOf(request, { result: { requestState: 7 } }, { sure: YES }));
    expect(answer['error']).toStrictEqual(FROZEN);
    expect(reports.all).toMatchObject([{ event: { type: 'state-refused', cause: 'malformed' } }]);
  });

  it('has a state refused when it takes longer than a round may', async () => {
    const verify = () => new Promise<never>(() => undefined);
    const { tell, reports } = await serve({ requestState: { mint: () => 'sealed', verify }, roundTimeout: 50 });
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { answer } = await tell(retryOf(request, (await tell(request)).answer, { sure: YES }));
    expect(answer['error']).toStrictEqual(FROZEN);
    expect(reports.all.at(-1)).toMatchObject({ event: { type: 'state-refused', cause: 'codec-refused' } });
    expect(reports.all.filter(({ run }) => run === 'erase')).toHaveLength(1);
  });
});

describe('a codec of the user’s own that fails to seal', () => {
  it.each(['throws', 'rejects'])(
    'ends the call with an error that tells nothing of why, and an event: %s',
    async (how) => {
      const failure = new Error('kms://secret is down');
      const mint = (): Promise<string> => {
        if (how === 'throws') throw failure;
        return Promise.reject(failure);
      };
      const { tell, reports } = await serve({ requestState: { mint, verify: () => ({}) } });
      const { answer } = await tell(callOf('erase', { files: 3 }, { capabilities }));
      const why = 'its state could not be sealed: the bind, subject or codec option threw';
      expect(answer['error']).toStrictEqual({ code: -32603, message: `tools/call cannot ask: ${why}` });
      expect(reports.all).toContainEqual({
        event: { type: 'error', message: why, method: 'tools/call', target: 'erase' },
      });
    },
  );
});

describe('a caller that the subject option denies', () => {
  const subject = (): never => {
    throw new Error('denied: tell nobody');
  };

  it('is refused by the entry before a server is made, and learns no reason', async () => {
    const { tell, reports } = await serve({ subject });
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { status, answer } = await tell(request, { ...mirrorHeaders(request), 'x-test-caller': 'app/ada' });
    expect(status).toBe(403);
    expect(answer['error']).toStrictEqual({ code: -32000, message: 'The caller is denied' });
    expect(reports.all).toEqual([]);
  });

  it('is refused by a server whose own options deny it, before a handler runs', async () => {
    served = await serveModern({ factory: 'script', script: { options: { subject } } });
    const request = modern('tools/call', scriptParams('tools/call', [ask({ q: form() })]), { capabilities });
    const { answer } = await served.tell(request, { ...mirrorHeaders(request), 'x-test-caller': 'app/ada' });
    expect(answer['error']).toStrictEqual({ code: -32600, message: 'The caller is denied' });
    expect(served.reports.all).toEqual([]);
  });
});

describe('the codec that createRequestStateCodec makes', () => {
  it('serves the modern leg as its options would', async () => {
    const codec = createRequestStateCodec({ keys: '0123456789abcdef0123456789abcdef' });
    const { tell } = await serve({ requestState: codec });
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { answer } = await tell(request);
    expect(textOf((await tell(retryOf(request, answer, { sure: YES }))).answer)).toBe('erased');
  });
});
