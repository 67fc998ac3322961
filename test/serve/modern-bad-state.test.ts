import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { modern, retryOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession, serveModern } from './modern-session.ts';

const capabilities = { elicitation: {} };
const KEY = '0123456789abcdef0123456789abcdef';
const OLD_KEY = 'fedcba9876543210fedcba9876543210';
const FROZEN = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};
const SCRIPT = [ask({ q: form() }, { step: 1 })];

const flip = (state: string): string => `${state.slice(0, -2)}${state.at(-2) === 'A' ? 'B' : 'A'}${state.at(-1)}`;

describeModern('[M2e] [F38] a requestState that a modern client did not get for its call', (transport, sdk) => {
  let session: ModernSession;
  let others: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const requestState = { keys: [KEY], ttlSeconds: 600 };
    session = await openModernSession(transport, {
      factory: 'script',
      sdk,
      script: { sdk, options: { requestState } },
    });
    const stateOf = async (request: Json) => (await session.tell(request)).answer['result'].requestState as string;
    others = {
      tool: await stateOf(modern('prompts/get', scriptParams('prompts/get', SCRIPT), { capabilities })),
      arguments: await stateOf(modern('tools/call', scriptParams('tools/call', [...SCRIPT, null]), { capabilities })),
      elsewhere: await foreignState(OLD_KEY, 600),
      expired: await foreignState(KEY, 1),
    };
  });
  afterAll(() => session.close());

  /** A state of the same call, by a server with another key, or whose clock is behind. */
  async function foreignState(key: string, ttlSeconds: number): Promise<string> {
    const now = () => Date.now() - (ttlSeconds === 1 ? 60_000 : 0);
    const ports = { now };
    const options = { requestState: { keys: [key], ttlSeconds, ports } };
    const other = await serveModern({ factory: 'script', sdk, script: { sdk, options } });
    const request = modern('tools/call', scriptParams('tools/call', SCRIPT), { capabilities });
    const { answer } = await other.tell(request);
    await other.close();
    return answer['result'].requestState as string;
  }

  const nextRefusal = async (): Promise<Json> => {
    for (;;) {
      const report = await session.reports.next();
      if (report['event']?.type === 'state-refused') return report['event'] as Json;
    }
  };
  const runsSince = (count: number) => session.reports.all.slice(count).filter((report) => 'run' in report);

  for (const method of METHODS) {
    it.each([
      ['null', () => null, 'malformed'],
      ['the empty text', () => '', 'malformed'],
      ['a number', () => 7, 'malformed'],
      ['an object', () => ({ step: 1 }), 'malformed'],
      ['a text of its own', () => 'v1.AAAA', 'malformed'],
      ['its own, with a bit changed', (state: string) => flip(state), 'bad-seal'],
      ['its own, cut', (state: string) => state.slice(0, 40), 'malformed'],
    ])(`is refused before ${method} runs: %s`, async (_name, change, cause) => {
      const request = modern(method, scriptParams(method, SCRIPT), { capabilities });
      const { answer } = await session.tell(request);
      const requestState = change(answer['result'].requestState as string);
      const retry = retryOf(request, { result: { requestState } }, { q: ADA });
      const refused = await session.tell(retry);
      expect(refused.answer).toStrictEqual({ jsonrpc: '2.0', id: retry['id'], error: FROZEN });
      expect(refused.status).toBe(transport === 'http' ? 200 : 0);
      expect(await nextRefusal()).toMatchObject({ type: 'state-refused', cause, method, message: expect.any(String) });
    });
  }

  it.each([
    ['of another method', 'tool', 'wrong-binding'],
    ['of other arguments', 'arguments', 'wrong-binding'],
    ['of a key that is not listed', 'elsewhere', 'unknown-key'],
    ['that has expired', 'expired', 'expired'],
  ])('is refused, and the operator learns why: %s', async (_name, which, cause) => {
    const request = modern('tools/call', scriptParams('tools/call', SCRIPT), { capabilities });
    const count = session.reports.all.length;
    const retry = retryOf(request, { result: { requestState: others[which] } }, { q: ADA });
    const { answer } = await session.tell(retry);
    expect(answer).toStrictEqual({ jsonrpc: '2.0', id: retry['id'], error: FROZEN });
    expect(await nextRefusal()).toEqual({
      type: 'state-refused',
      cause,
      message: expect.any(String),
      method: 'tools/call',
      target: 'script',
    });
    expect(runsSince(count)).toEqual([]);
  });

  it.each([
    ['without its answers', undefined],
    ['with no answers', {}],
  ])('is not one of these, %s', async (_name, answers) => {
    const request = modern('tools/call', scriptParams('tools/call', SCRIPT), { capabilities });
    const { answer } = await session.tell(request);
    const { answer: final } = await session.tell(retryOf(request, answer, answers));
    expect(JSON.parse(final['result'].content[0].text)).toMatchObject({
      round: 1,
      responses: null,
      state: { step: 1 },
    });
  });
});
