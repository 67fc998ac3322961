import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { inputRequired } from 'mcp-dual-era';
import { accept, decline, runOnBothEras, type Script } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { read } from '../contract/quotes.ts';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { elicitName, NAME_FORM, textResult } from './questions.ts';

const page = read('docs/testing.md');
const rows = (heading: string): string[] => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  );
};
const run = (play: Play, more: Partial<Script> = {}) =>
  runOnBothEras(playFactory(play).factory, { request: callOf(), ...more });

describe('docs/testing.md', () => {
  it('has a row for every member of a script, and for every answer', () => {
    const source = read('packages/shim/src/testing-kit/script.ts');
    const body = /export interface Script \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
    const members = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    const answers = read('packages/shim/src/testing-kit/answers.ts').matchAll(
      /^export function (\w+)\(.*\): Answer \{/gm,
    );
    const builders = [...answers].map(([, name]) => name).filter((name) => name !== 'requireAnswer');
    expect(members.length).toBeGreaterThan(6);
    expect(builders.length).toBe(10);
    expect(rows('The script').sort()).toEqual([...members, ...builders].sort());
  });

  it('has a row for every member of the context of a factory that is of use', () => {
    expect(rows('The factory')).toEqual(['era', 'ports', 'effects']);
  });
});

describe('what docs/testing.md counts as a difference', () => {
  it('is a round without a state, which is 1 in every modern retry', async () => {
    const { differences } = await run(
      ({ ctx }) =>
        ctx.round < 2 && ctx.accepted('b') === undefined
          ? inputRequired({ inputRequests: { [ctx.round === 0 ? 'a' : 'b']: elicitName() } })
          : String(ctx.round),
      { answers: () => accept({ name: 'Ada' }) },
    );
    expect(differences).toMatchObject([{ what: 'result', handshake: textResult('2'), modern: textResult('1') }]);
  });

  it('is the same question after a decline', async () => {
    const { differences } = await run(
      ({ ctx }) => (ctx.round > 1 ? 'no' : inputRequired({ inputRequests: { who: elicitName() }, requestState: 1 })),
      { answers: { who: decline() } },
    );
    expect(differences).toMatchObject([
      { what: 'question', modern: { key: 'who' } },
      { what: 'answer', modern: { said: 'decline' } },
      { what: 'ending', handshake: { ending: 'declined' }, modern: { ending: 'result' } },
    ]);
  });

  it('is a tool or a resource that the server does not have', async () => {
    const tool = await run(() => 'done', { request: { method: 'tools/call', params: { name: 'none' } } });
    expect(tool.differences).toMatchObject([
      { what: 'ending', handshake: { result: { isError: true } }, modern: { error: { code: -32602 } } },
    ]);
    const page = await run(() => 'done', { request: { method: 'resources/read', params: { uri: 'no://page' } } });
    expect(page.differences).toMatchObject([
      { what: 'error', handshake: { code: -32602 }, modern: { data: { uri: 'no://page' } } },
    ]);
  });

  it('is a notification before a question in mid-body, which goes out again with pushCalls: replay', async () => {
    const { differences } = await run(
      async ({ server }) => {
        await server.sendLoggingMessage({ level: 'info', data: 'asking' });
        return String((await server.elicitInput({ message: 'A?', requestedSchema: NAME_FORM })).action);
      },
      { answers: [decline()], pushCalls: 'replay' },
    );
    expect(differences).toEqual([{ what: 'log', modern: { level: 'info', data: 'asking' } }]);
  });
});

describe('what docs/testing.md does not count as a difference', () => {
  it('is the code in the message of an error of SDK v1', async () => {
    const play: Play = () => {
      throw new McpError(-32602, 'no such page', { page: 3 });
    };
    const { handshake, modern, differences } = await run(play, { request: callOf('prompts/get') });
    expect(differences).toEqual([]);
    expect([handshake.error?.message, modern.error?.message]).toEqual([
      'MCP error -32602: no such page',
      'no such page',
    ]);
  });

  it('is what a result of the handler says of itself beside the stamps', async () => {
    const { modern, differences } = await run(() => ({ ...textResult('x'), _meta: { mine: 1 } }));
    expect(differences).toEqual([]);
    expect(modern.result).toEqual({ ...textResult('x'), _meta: { mine: 1 } });
  });
});
