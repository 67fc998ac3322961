import { inputRequired } from 'mcp-dual-era';
import { accept, later, roots, runOnBothEras, sample } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { askName, elicitName, NAME_FORM, textResult } from './questions.ts';

const QUESTION = { type: 'question', number: 1, key: 'who', kind: 'form', message: 'Your name?' };
const STEPS = [
  { ...QUESTION, requestedSchema: NAME_FORM },
  { type: 'answer', question: 1, said: 'accept', value: { action: 'accept', content: { name: 'Ada' } } },
];
const message = { role: 'user', content: { type: 'text', text: 'Hello Ada' } };
const RESULTS = {
  'tools/call': textResult('Hello Ada'),
  'prompts/get': { messages: [message] },
  'resources/read': { contents: [{ uri: 'play://once', text: 'Hello Ada' }] },
};

const readAnswers = (result: Json | undefined): Json => JSON.parse(result?.['content'][0].text);

describe.each(['newest', 'oldest'] as const)('the transcripts of a call (%s SDK v1)', (sdk) => {
  it.each(Object.entries(RESULTS))(
    'are the same in both eras for %s, and hold what was said',
    async (method, result) => {
      const { factory, contexts } = playFactory(askName, sdk);
      const run = await runOnBothEras(factory, { request: callOf(method), answers: [accept({ name: 'Ada' })] });
      expect(run).toStrictEqual({
        handshake: { era: 'handshake', steps: STEPS, ending: 'result', result },
        modern: { era: 'modern', steps: STEPS, ending: 'result', result },
        differences: [],
        unused: [],
      });
      expect(contexts.map(({ era }) => era)).toEqual(['handshake', 'modern', 'modern']);
    },
  );

  it('hold all kinds of question in the order in which they were asked, as a person sees them', async () => {
    const play: Play = ({ ctx }) => {
      if (ctx.round > 0) return JSON.stringify(ctx.responses);
      const tools = [{ name: 'look_up', inputSchema: { type: 'object' } }];
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];
      return inputRequired({
        inputRequests: {
          where: inputRequired.listRoots(),
          sign: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://mcp.example.com/connect' }),
          text: inputRequired.createMessage({ messages, maxTokens: 50 }),
          more: inputRequired.createMessage({ messages, maxTokens: 50, tools }),
          who: inputRequired.elicit({ message: 'Name?', requestedSchema: NAME_FORM, note: 'It was empty.' }),
        },
      });
    };
    const { handshake, differences } = await runOnBothEras(playFactory(play, sdk).factory, {
      request: callOf(),
      answers: [
        roots(['file:///home/ada', { uri: 'file:///tmp', name: 'tmp' }]),
        accept(),
        sample('short'),
        sample({ role: 'assistant', model: 'm', content: { type: 'text', text: 'long' } }),
        accept({ name: 'Ada' }),
      ],
    });
    expect(differences).toEqual([]);
    const messages = [{ role: 'user', content: { type: 'text', text: 'Sum up' } }];
    expect(handshake.steps.filter(({ type }) => type === 'question')).toEqual([
      { type: 'question', number: 1, key: 'where', kind: 'roots' },
      {
        type: 'question',
        number: 2,
        key: 'sign',
        kind: 'url',
        message: 'Sign in',
        url: 'https://mcp.example.com/connect',
      },
      { type: 'question', number: 3, key: 'text', kind: 'sampling', params: { messages, maxTokens: 50 } },
      {
        ...{ type: 'question', number: 4, key: 'more', kind: 'sampling.tools' },
        params: expect.objectContaining({ messages }),
      },
      {
        ...{ type: 'question', number: 5, key: 'who', kind: 'form', message: 'Name?\n\nIt was empty.' },
        requestedSchema: NAME_FORM,
      },
    ]);
    expect(readAnswers(handshake.result)).toEqual({
      where: { roots: [{ uri: 'file:///home/ada' }, { uri: 'file:///tmp', name: 'tmp' }] },
      sign: { action: 'accept' },
      text: { role: 'assistant', model: 'scripted', content: { type: 'text', text: 'short' } },
      more: { role: 'assistant', model: 'm', content: { type: 'text', text: 'long' } },
      who: { action: 'accept', content: { name: 'Ada' } },
    });
  });

  it('hold progress and log messages in their places, and no heartbeat of a call that waits', async () => {
    const play: Play = async ({ ctx, extra, server }) => {
      const { progressToken } = extra._meta as { progressToken: string };
      const params = { progressToken, progress: 1, total: 2, message: `round ${ctx.round}` };
      await extra.sendNotification({ method: 'notifications/progress', params });
      await server.sendLoggingMessage({ level: 'info', data: { round: ctx.round } });
      if (ctx.round === 0) return inputRequired({ inputRequests: { who: elicitName() } });
      return 'done';
    };
    const { handshake, modern, differences } = await runOnBothEras(playFactory(play, sdk).factory, {
      request: callOf(),
      answers: [accept({ name: 'Ada' })],
    });
    expect(differences).toEqual([]);
    expect(modern.steps).toEqual([
      { type: 'progress', progress: 1, total: 2, message: 'round 0' },
      { type: 'log', level: 'info', data: { round: 0 } },
      ...STEPS,
      { type: 'progress', progress: 1, total: 2, message: 'round 1' },
      { type: 'log', level: 'info', data: { round: 1 } },
    ]);
    expect(handshake.steps.map(({ type }) => type)).toEqual(modern.steps.map(({ type }) => type));
  });

  it('hold plain JSON, as it travels', async () => {
    const play: Play = async ({ server }) => {
      await server.sendLoggingMessage({ level: 'info', data: { at: new Date(0), none: undefined } });
      return 'done';
    };
    const { handshake, modern } = await runOnBothEras(playFactory(play, sdk).factory, { request: callOf() });
    const steps = [{ type: 'log', level: 'info', data: { at: '1970-01-01T00:00:00.000Z' } }];
    expect([handshake.steps, modern.steps]).toStrictEqual([steps, steps]);
  });

  it('hold a question of the server’s own between two of an ask, each under its own key', async () => {
    const play: Play = ({ ctx, server }) => {
      if (ctx.round > 0) return 'done';
      // Beside the call, which is answered by then.
      setImmediate(() => void server.listRoots().catch(() => undefined));
      return inputRequired({ inputRequests: { a: elicitName('A?'), b: elicitName('B?') } });
    };
    const { handshake } = await runOnBothEras(playFactory(play, sdk).factory, {
      request: callOf(),
      answers: ({ kind }) => later(1, kind === 'roots' ? roots([]) : accept({ name: 'Ada' })),
    });
    const questions = handshake.steps.flatMap((step) => (step.type === 'question' ? [[step.key, step.kind]] : []));
    expect(questions).toEqual([
      ['a', 'form'],
      [undefined, 'roots'],
      ['b', 'form'],
    ]);
  });

  it('hold questions in mid-body without a key, with pushCalls: replay', async () => {
    const play: Play = async ({ server, extra }) => {
      const first = await server.elicitInput({ message: 'A?', requestedSchema: NAME_FORM });
      const { roots: list } = await extra.sendRequest(
        { method: 'roots/list' },
        sdkNamed(sdk).types.ListRootsResultSchema,
      );
      return `${first.content?.['name']} ${list.length}`;
    };
    const { modern, differences } = await runOnBothEras(playFactory(play, sdk).factory, {
      request: callOf(),
      answers: [accept({ name: 'Ada' }), roots([])],
      pushCalls: 'replay',
    });
    expect(differences).toEqual([]);
    expect(modern).toMatchObject({ ending: 'result', result: textResult('Ada 0') });
    expect(modern.steps[0]).toStrictEqual({
      ...{ type: 'question', number: 1, kind: 'form', message: 'A?' },
      requestedSchema: NAME_FORM,
    });
  });

  it('tell what the client is, and what its call carries', async () => {
    const play: Play = ({ server, extra, ctx }) => {
      const { name } = server.getClientVersion() ?? { name: undefined };
      return JSON.stringify([name, server.getClientCapabilities(), extra._meta?.['x'], ctx.canAsk('roots')]);
    };
    const { handshake, differences } = await runOnBothEras(playFactory(play, sdk).factory, {
      request: callOf(),
      capabilities: { roots: {} },
      clientInfo: { name: 'mine', version: '3' },
      callerMeta: { x: 7 },
    });
    expect(differences).toEqual([]);
    expect(handshake.result).toEqual(textResult('["mine",{"roots":{}},7,true]'));
  });
});
