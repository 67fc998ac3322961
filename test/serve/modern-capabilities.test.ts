import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, ask, form, roots, sampling, samplingWithTools, told, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { modern, retryOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const ALL = { f: form(), u: url(), s: sampling(), t: samplingWithTools(), r: roots() };

/** What is asked, what was declared, and what of it is missing. */
const GAPS: readonly (readonly [string, Json, Json, Json])[] = [
  ['a form of nobody', { f: form() }, {}, { elicitation: { form: {} } }],
  ['a form of who opens URLs alone', { f: form() }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['a URL of who declares elicitation', { u: url() }, { elicitation: {} }, { elicitation: { url: {} } }],
  ['a URL of who fills in forms', { u: url() }, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
  ['sampling of nobody', { s: sampling() }, {}, { sampling: {} }],
  ['tools of who samples without', { t: samplingWithTools() }, { sampling: {} }, { sampling: { tools: {} } }],
  ['roots of nobody', { r: roots() }, {}, { roots: {} }],
  ['everything of nobody', ALL, {}, { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }],
  [
    'everything of who fills in forms and samples',
    ALL,
    { elicitation: { form: {} }, sampling: {} },
    { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} },
  ],
];

describeModern('[M2d] the capabilities of a modern request', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'script', sdk });
  });
  afterAll(() => session.close());

  const play = (script: readonly unknown[], capabilities: Json, method = 'tools/call') =>
    modern(method, scriptParams(method, script), { capabilities });

  for (const method of METHODS) {
    it.each(GAPS)(
      `do not hold for ${method} asking %s: all that is missing is named`,
      async (_name, asked, declared, missing) => {
        const request = play([ask(asked)], declared, method);
        const { answer, status, notifications } = await session.tell(request);
        expect(answer).toStrictEqual({
          jsonrpc: '2.0',
          id: request['id'],
          error: { code: -32021, message: expect.stringContaining(method), data: { requiredCapabilities: missing } },
        });
        expect([status, notifications]).toEqual([transport === 'http' ? 400 : 0, []]);
      },
    );
  }

  it('are those of the retry on the retry: fewer of them refuse its question', async () => {
    const request = play([ask({ a: form('A?') }, 1), ask({ b: form('B?') }, 2)], { elicitation: {} });
    const { answer } = await session.tell(request);
    const { answer: refused, status } = await session.tell(
      retryOf(request, answer, { a: ADA }, { capabilities: { roots: {} } }),
    );
    expect(refused['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(status).toBe(transport === 'http' ? 400 : 0);
  });

  it('are those of the retry on the retry: more of them let it be asked', async () => {
    const request = play([ask({ a: form('A?') }, 1), ask({ b: roots() }, 2)], { elicitation: {} });
    const { answer } = await session.tell(request);
    const { answer: asked } = await session.tell(retryOf(request, answer, { a: ADA }, { capabilities: { roots: {} } }));
    expect(asked['result'].inputRequests).toStrictEqual({ b: roots() });
  });

  it.each([
    ['nothing', {}, []],
    ['elicitation', { elicitation: {} }, ['form']],
    ['URL mode alone', { elicitation: { url: {} } }, ['url']],
    ['both modes', { elicitation: { form: {}, url: {} } }, ['form', 'url']],
    ['sampling with tools, and roots', { sampling: { tools: {} }, roots: {} }, ['sampling', 'sampling.tools', 'roots']],
  ])('tell the handler what it can ask: %s', async (_name, capabilities, kinds) => {
    const { answer } = await session.tell(play([], capabilities));
    expect(told(answer)).toMatchObject({ round: 0, responses: null, state: null, canAsk: kinds });
  });
});
