import { describe, expect, it } from 'vitest';
import { modern, textOf } from '../serve/modern-message.ts';
import { form, samplingWithTools, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';
import { answering, askText } from './questions.ts';
import { type Act, eventsOf, firstCall, play, serveBody, serveReplay } from './replay-session.ts';

const FORM = { name: 'a form', ask: ({ server }: Act) => server.elicitInput(form()['params']) };
const URL_MODE = {
  name: 'a URL',
  ask: ({ server }: Act) => server.elicitInput({ ...url()['params'], elicitationId: 'id' }),
};
const SAMPLING = {
  name: 'sampling with tools',
  ask: ({ server }: Act) => server.createMessage(samplingWithTools()['params']),
};
const ROOTS = { name: 'roots', ask: ({ server }: Act) => server.listRoots() };

/** What a question needs, what the client declares, and what the error names. */
const MISSING: readonly (readonly [{ name: string; ask: (act: Act) => Promise<object> }, Json, Json])[] = [
  [FORM, {}, { elicitation: { form: {} } }],
  [FORM, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  [URL_MODE, { elicitation: {} }, { elicitation: { url: {} } }],
  [URL_MODE, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
  [SAMPLING, {}, { sampling: { tools: {} } }],
  [SAMPLING, { sampling: {} }, { sampling: { tools: {} } }],
  [ROOTS, {}, { roots: {} }],
];

describe.each(['newest', 'oldest'] as const)('[P1h] a question that the client did not declare (%s SDK v1)', (sdk) => {
  it.each(MISSING)(
    '$name with %o declared ends the call with -32021',
    async ({ ask }, declared, requiredCapabilities) => {
      const served = serveBody(async (act) => JSON.stringify(await ask(act)), { sdk });
      const { answer } = await served.tell(firstCall(0, declared));
      expect(answer['error']).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    },
  );

  it('ends the call where its handler swallows the error', async () => {
    const served = serveBody((act) => askText(act, 'a').catch(() => 'nobody'), { sdk });
    const { answer } = await served.tell(firstCall(0, {}));
    expect(answer['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it('ends the call where it is sent with extra.sendRequest', async () => {
    const { types } = sdkNamed(sdk);
    const served = serveBody(
      async ({ extra }) => JSON.stringify(await extra.sendRequest(form() as never, types.ElicitResultSchema)),
      { sdk },
    );
    const { answer } = await served.tell(firstCall(0, {}));
    expect(answer['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it('names all that is missing of a round', async () => {
    const served = serveBody(
      async (act) => JSON.stringify(await Promise.all([FORM, URL_MODE, SAMPLING, ROOTS].map(({ ask }) => ask(act)))),
      { sdk },
    );
    const { answer } = await served.tell(firstCall(0, { elicitation: { form: {} } }));
    expect(answer['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} } },
    });
    expect(answer['error'].data.requiredCapabilities.elicitation).toEqual({ url: {} });
  });

  it('is looked at in every request: the second question too', async () => {
    const served = serveBody(async (act) => `${await askText(act, 'a')} ${JSON.stringify(await ROOTS.ask(act))}`, {
      sdk,
    });
    const request = firstCall(0, { elicitation: {} });
    const { rounds, answer } = await play(served, answering({ a: 'A' }), { request });
    expect(rounds).toHaveLength(1);
    expect(answer['error']).toMatchObject({ code: -32021, data: { requiredCapabilities: { roots: {} } } });
  });
});

describe('a question that is a mistake of its author', () => {
  it.each([
    ['has no text', { mode: 'form', message: '', requestedSchema: { type: 'object', properties: {} } }],
    [
      'leads to a page with credentials',
      { mode: 'url', message: 'Go', url: 'https://a:b@x.test/', elicitationId: 'id' },
    ],
  ])('ends the call with -32603 and an event where it %s', async (_name, params) => {
    const served = serveBody(async ({ server }) => JSON.stringify(await server.elicitInput(params as never)));
    const { answer } = await served.tell(firstCall());
    expect(answer['error']).toMatchObject({ code: -32603 });
    expect(eventsOf(served, 'error')).toMatchObject([{ method: 'tools/call', target: 'act' }]);
  });
});

describe.each(['newest', 'oldest'] as const)('a handler that throws -32042 (%s SDK v1)', (sdk) => {
  const { UrlElicitationRequiredError } = sdkNamed(sdk).types;
  const signIn = () =>
    new UrlElicitationRequiredError([
      { mode: 'url', message: 'Sign in', url: 'https://x.test/sign-in', elicitationId: 'id' },
    ]);

  it('after a question in mid-body asks for the page, keeps its answers, and goes on', async () => {
    let isSignedIn = false;
    const served = serveBody(
      async (act) => {
        const name = await askText(act, 'Name?');
        if (!isSignedIn) throw signIn();
        return `Hello ${name}`;
      },
      { sdk },
    );
    const { rounds, answer } = await play(served, ({ params }) => {
      if (params.mode === 'url') {
        isSignedIn = true;
        return { action: 'accept' };
      }
      return { action: 'accept', content: { text: 'Ada' } };
    });
    expect(rounds[1]).toStrictEqual([url('Sign in', 'https://x.test/sign-in')]);
    expect([rounds.length, textOf(answer)]).toEqual([2, 'Hello Ada']);
  });

  it('before one too', async () => {
    let isSignedIn = false;
    const served = serveBody(
      async (act) => {
        if (!isSignedIn) throw signIn();
        return askText(act, 'Name?');
      },
      { sdk },
    );
    const { rounds, answer } = await play(served, ({ params }) => {
      isSignedIn = true;
      return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { text: 'Ada' } };
    });
    expect([rounds.length, textOf(answer)]).toEqual([2, 'Ada']);
  });
});

describe('what no client can be asked', () => {
  it('ends the call with -32603 and an event: a request of somebody’s own', async () => {
    const { EmptyResultSchema } = sdkNamed('newest').types;
    const served = serveBody(async ({ server }) =>
      JSON.stringify(await server.request({ method: 'acme/ask' } as never, EmptyResultSchema)),
    );
    const { answer } = await served.tell(firstCall());
    expect(answer['error']).toMatchObject({ code: -32603, message: expect.stringContaining('acme/ask') });
    expect(eventsOf(served, 'error')).toMatchObject([{ method: 'tools/call', target: 'act' }]);
  });
});

describe("pushCalls: 'reject'", () => {
  it.each([undefined, 'reject' as const])('ends a question in mid-body at once, given as %s', async (pushCalls) => {
    let runs = 0;
    const served = serveBody(
      async (act) => {
        runs += 1;
        return askText(act, 'a').catch(() => 'nobody');
      },
      { options: { pushCalls } },
    );
    const { answer } = await served.tell(firstCall());
    expect(answer['error']).toMatchObject({ code: -32603 });
    expect(answer['error'].message).toMatch(/elicitation\/create.*inputRequired.*docs\/[a-z-]+\.md/);
    expect(runs).toBe(1);
    expect(eventsOf(served, 'error')).toMatchObject([{ method: 'tools/call', target: 'act' }]);
  });

  it('is what pushCalls refuses to be anything but', () => {
    expect(() => serveBody(async () => '', { options: { pushCalls: 'always' as never } })).toThrow(/pushCalls.*, got/);
    expect(() => serveBody(async () => '', { options: { suspend: 'never' as never } })).toThrow(/suspend.*, got/);
  });
});

describe('a question in mid-body of another method', () => {
  it('ends the request with -32603 and an event: only calls, prompts and resources may ask', async () => {
    const { Server, types } = sdkNamed('newest');
    const served = serveReplay(() => {
      const server = new Server({ name: 'lister', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler(types.ListToolsRequestSchema, async () => {
        await askText({ server }, 'a').catch(() => undefined);
        return { tools: [] };
      });
      return server;
    });
    const { answer } = await served.tell(modern('tools/list', {}, { capabilities: { elicitation: {} } }));
    expect(answer['error']).toMatchObject({ code: -32603 });
    expect(eventsOf(served, 'error')).toMatchObject([{ method: 'tools/list' }]);
  });
});
