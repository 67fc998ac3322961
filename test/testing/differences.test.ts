import { inputRequired } from 'mcp-dual-era';
import { accept, formatDifferences, runOnBothEras, type Script } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { elicitName, greeting, NAME_FORM, textResult } from './questions.ts';

const run = (play: Play, more: Partial<Script> = {}) =>
  runOnBothEras(playFactory(play).factory, { request: callOf(), ...more });

describe('a difference', () => {
  it('is what a handler does in one era alone: its question, answer, notifications and result', async () => {
    const play: Play = async ({ ctx, context, server }) => {
      const isModern = context.era === 'modern';
      const requestedSchema = {
        ...NAME_FORM,
        properties: { name: { type: 'string' as const, maxLength: isModern ? 9 : 5 } },
      };
      if (ctx.round === 0) {
        await server.sendLoggingMessage({ level: 'info', data: 'both' });
        if (isModern) await server.sendLoggingMessage({ level: 'error', data: 'modern' });
        return inputRequired({
          inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
        });
      }
      return isModern ? greeting(ctx) : 'Hello';
    };
    const { differences } = await run(play, { answers: [accept({ name: 'Ada' })] });
    const question = { key: 'who', kind: 'form', message: 'Your name?' };
    const asked = (maxLength: number) => ({
      ...question,
      requestedSchema: { ...NAME_FORM, properties: { name: { type: 'string', maxLength } } },
    });
    expect(differences).toEqual([
      { what: 'question', handshake: asked(5), modern: asked(9) },
      { what: 'log', modern: { level: 'error', data: 'modern' } },
      { what: 'result', handshake: textResult('Hello'), modern: textResult('Hello Ada') },
    ]);
    expect(formatDifferences(differences)).toBe(
      [
        '3 differences between the eras:',
        '1. question, at requestedSchema.properties.name.maxLength',
        `   handshake: ${JSON.stringify(asked(5))}`,
        `   modern:    ${JSON.stringify(asked(9))}`,
        '2. log',
        '   handshake: nothing',
        '   modern:    {"level":"error","data":"modern"}',
        '3. result, at content[0].text',
        `   handshake: ${JSON.stringify(textResult('Hello'))}`,
        `   modern:    ${JSON.stringify(textResult('Hello Ada'))}`,
      ].join('\n'),
    );
  });

  it('is a question that the handshake era alone asks, with its answer', async () => {
    const play: Play = ({ ctx, context }) =>
      context.era === 'handshake' && ctx.round === 0 ? inputRequired({ inputRequests: { who: elicitName() } }) : 'done';
    const { differences, unused } = await run(play, { answers: [accept({ name: 'Ada' })] });
    expect(differences.map(({ what, modern }) => [what, modern])).toEqual([
      ['question', undefined],
      ['answer', undefined],
    ]);
    expect(unused).toEqual(['modern: answers[0] (accept)']);
    expect(formatDifferences(differences.slice(1))).toMatch(
      /^1 difference between the eras:\n1\. answer\n.*\n.*nothing$/,
    );
  });

  it('is an error of one era, and none the way in which SDK v1 words it', async () => {
    const play: Play = ({ context, ctx }) => {
      if (ctx.round === 0) return { ...inputRequired({ requestState: 1 }), requestState: 'a text that nobody minted' };
      return context.era;
    };
    const { handshake, differences } = await run(play);
    expect(handshake).toMatchObject({ ending: 'error', error: { code: -32603 } });
    expect(differences).toEqual([]);
    const other = await run(
      ({ context }) => {
        throw new Error(`in ${context.era}`);
      },
      { request: callOf('prompts/get') },
    );
    expect(other.differences).toMatchObject([
      { what: 'error', handshake: { message: 'in handshake' }, modern: { message: 'in modern' } },
    ]);
  });

  it('is a question in mid-body, with pushCalls as it is by default', async () => {
    const play: Play = async ({ server }) => String((await server.listRoots()).roots.length);
    const { differences } = await run(play, { answers: () => ({ said: 'roots', roots: [] }) });
    expect(differences.map(({ what }) => what)).toEqual(['question', 'answer', 'ending']);
    expect(formatDifferences(differences)).toContain("pushCalls: 'replay'");
  });

  it('is none between two calls that ask for ever: the client gives up where the shim does', async () => {
    let number = 0;
    const play: Play = ({ ctx }) => {
      number = ctx.round + 1;
      return inputRequired({ inputRequests: { who: elicitName(`Name ${number}?`) }, requestState: number });
    };
    const { modern, differences } = await run(play, {
      answers: () => accept({ name: 'Ada' }),
      options: { maxRounds: 3 },
    });
    expect(differences).toEqual([]);
    expect(modern.ending).toBe('rounds-exceeded');
    expect(modern.steps.filter(({ type }) => type === 'question')).toHaveLength(3);
  });

  it('is an error where a handler asks in mid-body for ever', async () => {
    const play: Play = async ({ server }) => {
      for (;;) await server.listRoots();
    };
    const answers = () => ({ said: 'roots' as const, roots: [] });
    await expect(run(play, { answers })).rejects.toThrow('handshake: the call asked more than 100 questions');
  });

  it('is told for its own place, and not held against what stands elsewhere', async () => {
    const play: Play = async ({ context, server }) => {
      const log = (data: string) => server.sendLoggingMessage({ level: 'info', data });
      for (const data of context.era === 'modern' ? ['x', 'b'] : ['a', 'x']) await log(data);
      return 'done';
    };
    expect((await run(play)).differences).toEqual([
      { what: 'log', handshake: { level: 'info', data: 'a' } },
      { what: 'log', modern: { level: 'info', data: 'b' } },
    ]);
  });

  it('is formatted as none where there is none', () => {
    expect(formatDifferences([])).toBe('No differences between the eras.');
  });
});
