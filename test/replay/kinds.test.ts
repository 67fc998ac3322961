import { describe, expect, it } from 'vitest';
import { modern, retryOf, textOf } from '../serve/modern-message.ts';
import {
  ADA,
  ALL_CAPABILITIES,
  form,
  ROOTS,
  roots,
  SAMPLED,
  sampling,
  samplingWithTools,
  url,
} from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { type Act, answersTo, eventsOf, play, questionsOf, serveBody } from './replay-session.ts';

const USED_TOOL: Json = {
  role: 'assistant',
  model: 'm',
  stopReason: 'toolUse',
  content: [{ type: 'tool_use', id: 'use-1', name: 'look_up', input: { word: 'era' } }],
};

interface Kind {
  /** The embedded request as it travels. */
  readonly sent: Json;
  readonly answer: Json;
  readonly schema:
    | 'ElicitResultSchema'
    | 'CreateMessageResultSchema'
    | 'CreateMessageResultWithToolsSchema'
    | 'ListRootsResultSchema';
  /** By the method of SDK v1's server that is made for it. */
  readonly own: (act: Act, params: never) => Promise<object>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a form': {
    sent: form(),
    answer: ADA,
    schema: 'ElicitResultSchema',
    own: ({ server }, params) => server.elicitInput(params),
  },
  'a URL': {
    sent: url(),
    answer: { action: 'accept' },
    schema: 'ElicitResultSchema',
    own: ({ server }, params) =>
      server.elicitInput({ elicitationId: crypto.randomUUID(), ...(params as Json) } as never),
  },
  sampling: {
    sent: sampling(),
    answer: SAMPLED,
    schema: 'CreateMessageResultSchema',
    own: ({ server }, params) => server.createMessage(params),
  },
  'sampling with tools': {
    sent: samplingWithTools(),
    answer: USED_TOOL,
    schema: 'CreateMessageResultWithToolsSchema',
    own: ({ server }, params) => server.createMessage(params),
  },
  roots: { sent: roots(), answer: ROOTS, schema: 'ListRootsResultSchema', own: ({ server }) => server.listRoots() },
};

type Ask = (act: Act, kind: Kind, sdk: SdkName) => Promise<object>;
const CHANNELS: Readonly<Record<string, Ask>> = {
  'the server’s own method': (act, { own, sent }) => own(act, sent['params'] as never),
  'extra.sendRequest': ({ extra }, { sent, schema }, sdk) =>
    extra.sendRequest(withId(sent) as never, sdkNamed(sdk).types[schema] as never),
  'server.request': ({ server }, { sent, schema }, sdk) =>
    server.request(withId(sent) as never, sdkNamed(sdk).types[schema] as never),
};

/** A URL with an id made anew, as SDK v1 wants it. */
function withId({ method, params }: Json): Json {
  return { method, params: params.mode === 'url' ? { ...params, elicitationId: crypto.randomUUID() } : params };
}

for (const sdk of ['newest', 'oldest'] as const) {
  for (const [channel, ask] of Object.entries(CHANNELS)) {
    describe(`[P1b] a question in mid-body through ${channel} (${sdk} SDK v1)`, () => {
      it.each(Object.keys(KINDS))('of %s goes out as it is, and its answer comes back as it is', async (name) => {
        const kind = KINDS[name] as Kind;
        const served = serveBody(async (act) => JSON.stringify(await ask(act, kind, sdk)), { sdk });
        const { rounds, answer } = await play(served, () => kind.answer);
        expect(rounds).toStrictEqual([[kind.sent]]);
        expect(JSON.parse(textOf(answer))).toEqual(kind.answer);
        expect(served.events).toEqual([]);
      });
    });
  }
}

describe('questions of every kind at once', () => {
  it('are one round in the order of the handler', async () => {
    const kinds = Object.values(KINDS);
    const served = serveBody(async (act) =>
      JSON.stringify(await Promise.all(kinds.map(({ own, sent }) => own(act, sent['params'] as never)))),
    );
    const answers = kinds.map(({ answer }) => answer);
    let position = 0;
    const { rounds, answer } = await play(served, () => answers[position++]);
    expect(rounds).toStrictEqual([kinds.map(({ sent }) => sent)]);
    expect(JSON.parse(textOf(answer))).toEqual(answers);
  });
});

describe('a URL whose id is made anew in every run', () => {
  it('is one question, which reaches the client without an id, and has not drifted', async () => {
    const ids: string[] = [];
    const served = serveBody(async ({ server }) => {
      const elicitationId = crypto.randomUUID();
      ids.push(elicitationId);
      const { action } = await server.elicitInput({
        mode: 'url',
        message: 'Sign in',
        url: 'https://x.test/',
        elicitationId,
      });
      await server.elicitInput({ mode: 'form', message: 'Then?', requestedSchema: { type: 'object', properties: {} } });
      return action;
    });
    const { texts, rounds, answer } = await play(served, () => ({ action: 'accept', content: {} }));
    expect(texts).toEqual([['Sign in'], ['Then?']]);
    expect(rounds[0]).toStrictEqual([url('Sign in', 'https://x.test/')]);
    expect(textOf(answer)).toBe('accept');
    expect([new Set(ids).size, eventsOf(served, 'replay-drift')]).toEqual([3, []]);
  });
});

describe.each(METHODS)('a question in mid-body of %s', (method) => {
  it('is asked, and its answer is in the result', async () => {
    const served = serveBody(async ({ server }) => {
      const { content } = await server.elicitInput(form()['params']);
      return `Hello ${String(content?.['name'])}`;
    });
    const params = method === 'resources/read' ? { uri: 'act://it' } : { name: 'act' };
    const request = modern(method, params, { capabilities: ALL_CAPABILITIES });
    const { answer } = await served.tell(request);
    expect(questionsOf(answer)).toStrictEqual([form()]);
    const { answer: final } = await served.tell(
      retryOf(
        request,
        answer,
        answersTo(answer, () => ADA),
      ),
    );
    expect(JSON.stringify(final['result'])).toContain('Hello Ada');
  });
});
