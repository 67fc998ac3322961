import { inputRequired } from 'mcp-dual-era';
import {
  type Answer,
  accept,
  cancel,
  decline,
  disconnect,
  fail,
  later,
  never,
  type Question,
  raw,
  roots,
  runOnBothEras,
  sample,
} from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { askName, elicitName, greeting } from './questions.ts';

const play = async (answers: readonly Answer[], play: Play = askName, method?: string) =>
  runOnBothEras(playFactory(play).factory, { request: callOf(method), answers });
const textOf = (result: unknown): string => (result as { content: [{ text: string }] }).content[0].text;

describe('an answer', () => {
  it.each([
    ['accept', accept({ name: 'Ada' }), { action: 'accept', content: { name: 'Ada' } }, 'Hello Ada'],
    ['accept without content', accept(), { action: 'accept' }, 'Nobody: accept'],
    ['decline', decline(), { action: 'decline' }, 'Nobody: decline'],
    ['cancel', cancel(), { action: 'cancel' }, 'Nobody: cancel'],
    ['raw', raw({ action: 'yes' }), { action: 'yes' }, 'Nobody: undefined'],
    ['later', later(5_000, decline()), { action: 'decline' }, 'Nobody: decline'],
  ])('%s reaches the handler in both eras', async (_name, answer, value, text) => {
    const { handshake, modern, differences } = await play([answer]);
    expect(differences).toEqual([]);
    expect([handshake, modern].map(({ steps }) => steps[1])).toMatchObject([{ value }, { value }]);
    expect([handshake, modern].map(({ result }) => textOf(result))).toEqual([text, text]);
  });

  it.each([
    ['fail', fail(-1, 'no'), 'client-error', { code: -1, message: 'no' }],
    ['never', never(), 'timeout', undefined],
    ['disconnect', disconnect(), 'disconnected', undefined],
    ['disconnect after a while', later(1_000, disconnect()), 'disconnected', undefined],
  ])('%s ends the call in both eras, and the handler does not run again', async (_name, answer, ending, value) => {
    const rounds: number[] = [];
    const { handshake, modern, differences } = await play([answer], (played) => {
      rounds.push(played.ctx.round);
      return askName(played);
    });
    expect(differences).toEqual([]);
    expect([handshake, modern]).toMatchObject([{ ending }, { ending }]);
    expect(handshake.steps[1]).toMatchObject({
      type: 'answer',
      question: 1,
      said: answer.said === 'later' ? 'disconnect' : answer.said,
    });
    expect((handshake.steps[1] as { value?: unknown }).value).toEqual(value);
    expect(rounds).toEqual([0, 0]);
  });

  it('that the shim ends the call for leaves its outcome in the transcript', async () => {
    const { handshake } = await play([fail(-7, 'no')], askName, 'prompts/get');
    const outcome = { reason: 'client-error', method: 'prompts/get', target: 'play', round: 1, key: 'who', code: -7 };
    expect(handshake.outcome).toEqual(outcome);
    expect(handshake.error).toMatchObject({ code: -32603, data: outcome });
  });

  it('that fails is seen by a handler in the handshake era alone, where it is to be', async () => {
    const { factory } = playFactory(({ ctx }) =>
      ctx.round > 0 ? ctx.response('who').kind : inputRequired({ inputRequests: { who: elicitName() } }),
    );
    const script = { request: callOf(), answers: [fail(-1, 'no')], options: { onFailedLeg: 'reenter' as const } };
    const { differences } = await runOnBothEras(factory, script);
    expect(differences).toMatchObject([
      { what: 'ending', handshake: { ending: 'result' }, modern: { ending: 'client-error' } },
    ]);
  });

  it.each([
    ['never', never(), 'timeout'],
    ['fail', fail(-1, 'x'), 'client-error'],
  ])(
    '%s ends the call for what was asked at once with it, with concurrent legs, in both eras',
    async (_name, q, ending) => {
      const { factory } = playFactory(({ ctx }) => {
        const inputRequests = { q: elicitName('Q?'), p: elicitName('P?') };
        return ctx.round > 0 ? 'done' : inputRequired({ inputRequests, requestState: 1 });
      });
      const answers = { q, p: accept({ name: 'Ada' }) };
      const script = { request: callOf(), answers, options: { legs: 'concurrent' as const } };
      const { handshake, modern, differences, unused } = await runOnBothEras(factory, script);
      expect([handshake.ending, modern.ending, differences]).toEqual([ending, ending, []]);
      expect(unused).toEqual(['handshake: answers.p (accept)', 'modern: answers.p (accept)']);
    },
  );

  it('that never comes to a question in mid-body ends the call too', async () => {
    const { factory } = playFactory(async ({ server }) => (await server.listRoots()).roots.length.toString());
    const script = { request: callOf(), answers: [never()], pushCalls: 'replay' as const };
    const { differences, modern } = await runOnBothEras(factory, script);
    expect(differences).toEqual([]);
    expect(modern.ending).toBe('timeout');
  });

  it.each([
    ['sample', sample('short'), '"who" (form): "Your name?" must be one to form, such as accept(), got sample()'],
    ['roots', roots([]), '"who" (form): "Your name?" must be one to form, such as accept(), got roots()'],
  ])('%s to a question of another kind is an error', async (_name, answer, message) => {
    await expect(play([answer])).rejects.toThrow(`The answer to question ${message}`);
  });

  it.each([
    ['roots', inputRequired.listRoots(), 'must be one to roots, such as roots(), got accept()'],
    [
      'sampling',
      inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 }),
      'must be one to sampling, such as sample(), got accept()',
    ],
  ])('of a person to %s is an error', async (_name, question, message) => {
    const ask: Play = () => inputRequired({ inputRequests: { it: question } });
    await expect(play([accept({ name: 'Ada' })], ask)).rejects.toThrow(message);
  });
});

describe('answers', () => {
  const twice: Play = ({ ctx }) => {
    const both = { a: elicitName('A?'), b: elicitName('B?') };
    if (ctx.round === 0) return inputRequired({ inputRequests: both, requestState: 1 });
    if (ctx.round === 1) return inputRequired({ inputRequests: { a: elicitName('A again?') }, requestState: 2 });
    return String(ctx.accepted('a')?.['name']);
  };
  const [one, two, three] = ['1', '2', '3'].map((name) => accept({ name })) as [Answer, Answer, Answer];
  const said = async (answers: Parameters<typeof runOnBothEras>[1]['answers']) => {
    const { factory } = playFactory(twice);
    const { modern, differences, unused } = await runOnBothEras(factory, { request: callOf(), answers });
    expect(differences).toEqual([]);
    const names = modern.steps.flatMap((step) =>
      step.type === 'answer' ? [(step.value as { content: { name: string } }).content.name] : [],
    );
    return { names, unused };
  };

  it('are taken in order from a list', async () => {
    expect(await said([one, two, three])).toEqual({ names: ['1', '2', '3'], unused: [] });
  });

  it('are taken by key, each list in order, and a single one every time', async () => {
    expect(await said({ a: [one, three], b: two })).toEqual({ names: ['1', '2', '3'], unused: [] });
    expect(await said({ a: one, b: two })).toEqual({ names: ['1', '2', '1'], unused: [] });
  });

  it('are taken from a function, which sees the question', async () => {
    const seen: Question[] = [];
    const answer = (question: Question): Answer => {
      seen.push(question);
      return question.key === 'b' ? two : one;
    };
    expect(await said(answer)).toEqual({ names: ['1', '2', '1'], unused: [] });
    expect(seen.map(({ number, message }) => `${number} ${message}`)).toEqual([
      ...['1 A?', '2 B?', '3 A again?'],
      ...['1 A?', '2 B?', '3 A again?'],
    ]);
  });

  it('that no question used are told by their names', async () => {
    const names = ['1', '2', '3'];
    const left = ['answers[3] (accept)', 'answers[4] (later)'];
    expect(await said([one, two, three, one, later(1, two)])).toEqual({
      names,
      unused: [...left.map((name) => `handshake: ${name}`), ...left.map((name) => `modern: ${name}`)],
    });
    const byKey = ['answers.a[2] (decline)', 'answers.c (cancel)', 'answers.d[0] (never)'];
    expect(await said({ a: [one, three, decline()], b: two, c: cancel(), d: [never()] })).toEqual({
      names,
      unused: [...byKey.map((name) => `handshake: ${name}`), ...byKey.map((name) => `modern: ${name}`)],
    });
  });

  it.each([
    ['a list', [one, two], 'question "a" (form): "A again?"; 2 of 2 answers are used'],
    ['a list of none', [], 'question "a" (form): "A?"; 0 of 0 answers are used'],
    ['a list by key', { a: [one], b: two }, 'question "a" (form): "A again?"; 2 of 2 answers are used'],
    ['other keys', { b: [two] }, 'question "a" (form): "A?"; 0 of 1 answers are used'],
    [
      'a function',
      ({ number }: Question) => (number < 3 ? one : undefined),
      'question "a" (form): "A again?"; its function has answered 2',
    ],
  ])('that are missing in %s are an error that names the question', async (_name, answers, message) => {
    await expect(said(answers)).rejects.toThrow(`handshake: the script has no answer to ${message}`);
  });

  it('that are missing in the modern era alone are an error that names the era', async () => {
    const { factory } = playFactory(({ ctx, context }) =>
      context.era === 'modern' ? inputRequired({ inputRequests: { who: elicitName() } }) : greeting(ctx),
    );
    await expect(runOnBothEras(factory, { request: callOf() })).rejects.toThrow(
      'modern: the script has no answer to question "who" (form): "Your name?"; 0 of 0 answers are used',
    );
  });

  it('to a question in mid-body are named by its number when they are missing', async () => {
    const { factory } = playFactory(async ({ server }) => String(await server.listRoots()));
    await expect(runOnBothEras(factory, { request: callOf(), answers: { a: one } })).rejects.toThrow(
      'no answer to question number 1 (roots); 0 of 1 answers are used',
    );
  });
});
