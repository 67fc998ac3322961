import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { blocksOf, isSamplingBlock, samplingProblem } from '../../packages/shim/src/core/check-sampling.ts';
import type { Json } from '../support/json.ts';
import { jsonWith } from './arbitraries.ts';
import { expectQuick } from './quick.ts';
import { validatorFor } from './spec-schemas.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const TEXT = { type: 'text', text: 'Sum up' };
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'look_up', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [TEXT] });
const EVERYTHING = {
  messages: [user(TEXT)],
  maxTokens: 1,
  modelPreferences: { hints: [{ name: 'small' }, {}], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
  systemPrompt: 'Be short',
  includeContext: 'thisServer',
  temperature: 0.5,
  stopSequences: ['.'],
  metadata: { a: 1 },
  tools: [{ name: 'look_up', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'required' },
};
const TOOL = { name: 'look_up', inputSchema: { type: 'object' } };

describe('a sampling request', () => {
  it.each<[string, Json]>([
    ['without messages', { messages: [] }],
    ['with one block', { messages: [user(TEXT)] }],
    ['with several blocks', { messages: [user([TEXT, { type: 'image', data: 'aGk=', mimeType: 'image/png' }])] }],
    ['with no blocks', { messages: [user([])] }],
    ['with a tool use that is answered', { messages: [assistant(use('1')), user(result('1'))] }],
    [
      'with tool uses that are answered in another order',
      { messages: [user(TEXT), assistant([TEXT, use('1'), use('2')]), user([result('2'), result('1')]), user(TEXT)] },
    ],
    ['with tools', { messages: [], tools: [TOOL] }],
    ['with the choice of tools', { messages: [], toolChoice: { mode: 'auto' } }],
    ['with no tools to choose', { messages: [], toolChoice: { mode: 'none' } }],
    ['with a choice of tools that says nothing', { messages: [], toolChoice: {} }],
    ['with everything', EVERYTHING],
    ['with a priority alone', { messages: [], modelPreferences: { costPriority: 1 } }],
    ['with lists that are empty', { messages: [], tools: [], stopSequences: [], modelPreferences: { hints: [] } }],
  ])('%s is right', (_name, params) => {
    expect(samplingProblem({ maxTokens: 1, ...params })).toBeUndefined();
  });

  it.each<[Json, string]>([
    [{}, 'messages must be a list, got undefined'],
    [{ messages: user(TEXT) }, 'messages must be a list, got an object'],
    [{ messages: 'Sum up' }, 'messages must be a list, got "Sum up"'],
    [{ messages: [], maxTokens: undefined }, 'maxTokens must be a whole number, got undefined'],
    [{ messages: [], maxTokens: 1.5 }, 'maxTokens must be a whole number, got 1.5'],
    [{ messages: [], maxTokens: '1' }, 'maxTokens must be a whole number, got "1"'],
    [{ messages: [], maxTokens: 2 ** 53 }, 'maxTokens must be a whole number, got 9007199254740992'],
    [
      { messages: [], tools: TOOL },
      'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"',
    ],
    [
      { messages: [], tools: [TOOL, { name: 'look_up' }] },
      'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"',
    ],
    [
      { messages: [], tools: [null] },
      'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"',
    ],
    [
      { messages: [], tools: [{ name: 'look_up' }] },
      'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"',
    ],
    [
      { messages: [], tools: [{ inputSchema: { type: 'object' } }] },
      'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"',
    ],
    [
      { messages: [], toolChoice: 'auto' },
      'toolChoice must be an object whose mode is auto, required or none, got "auto"',
    ],
    [{ messages: [], toolChoice: null }, 'toolChoice must be an object whose mode is auto, required or none, got null'],
    [{ messages: [], systemPrompt: 5 }, 'systemPrompt must be a string, got 5'],
    [{ messages: [], systemPrompt: null }, 'systemPrompt must be a string, got null'],
    [{ messages: [], temperature: 'hot' }, 'temperature must be a number, got "hot"'],
    [{ messages: [], temperature: Number.NaN }, 'temperature must be a number, got NaN'],
    [
      { messages: [], includeContext: 'everything' },
      'includeContext must be none, thisServer or allServers, got "everything"',
    ],
    [{ messages: [], stopSequences: '.' }, 'stopSequences must be a list of strings, got "."'],
    [{ messages: [], stopSequences: [1] }, 'stopSequences must be a list of strings, got an array'],
    [{ messages: [], metadata: [] }, 'metadata must be an object, got an array'],
    ...[
      { hints: ['small'] },
      { hints: [{}, 'small'] },
      { hints: {} },
      { hints: [{ name: 1 }] },
      { costPriority: 2 },
      { speedPriority: -0.1 },
      { intelligencePriority: '1' },
      { costPriority: null },
    ].map((modelPreferences): [Json, string] => [
      { messages: [], modelPreferences },
      'modelPreferences must be an object of hints and priorities from 0 to 1, got an object',
    ]),
    [
      { messages: [], modelPreferences: 'cheap' },
      'modelPreferences must be an object of hints and priorities from 0 to 1, got "cheap"',
    ],
    [
      { messages: [assistant(use('1')), user({ type: 'tool_result', toolUseId: '1' })] },
      'messages[1]: content must be a content block or a list of them',
    ],
    [
      { messages: [assistant([use('1'), use('1')]), user([result('1'), result('2')])] },
      'messages[1]: its tool_result blocks must answer the tool_use blocks before it',
    ],
    [{ messages: [null] }, 'messages[0]: must be { role, content }, got null'],
    [{ messages: ['Sum up'] }, 'messages[0]: must be { role, content }, got "Sum up"'],
    [{ messages: [{ content: TEXT }] }, 'messages[0]: role must be "user" or "assistant", got undefined'],
    [
      { messages: [user(TEXT), { role: 'system', content: TEXT }] },
      'messages[1]: role must be "user" or "assistant", got "system"',
    ],
    [{ messages: [{ role: 'user' }] }, 'messages[0]: content must be a content block or a list of them'],
    [{ messages: [user('Sum up')] }, 'messages[0]: content must be a content block or a list of them'],
    [{ messages: [user([TEXT, 'x'])] }, 'messages[0]: content must be a content block or a list of them'],
    [{ messages: [user([[TEXT]])] }, 'messages[0]: content must be a content block or a list of them'],
    [
      { messages: [assistant(use('1')), user([result('1'), TEXT])] },
      'messages[1]: a message with a tool_result block must hold nothing else',
    ],
    [
      { messages: [user(result('1'))] },
      'messages[0]: its tool_result blocks must answer the tool_use blocks before it',
    ],
    [
      { messages: [assistant(use('1')), user(TEXT), user(result('1'))] },
      'messages[1]: its tool_result blocks must answer the tool_use blocks before it',
    ],
    [
      { messages: [assistant(use('1')), user(result('2'))] },
      'messages[1]: its tool_result blocks must answer the tool_use blocks before it',
    ],
    [
      { messages: [assistant([use('1'), use('2')]), user(result('1'))] },
      'messages[1]: its tool_result blocks must answer the tool_use blocks before it',
    ],
    [{ messages: [user(TEXT), assistant(use('1'))] }, 'the last message must not leave a tool_use unanswered'],
  ])('is refused: %j, saying: %s', (params, problem) => {
    expect(samplingProblem({ maxTokens: 1, ...params })).toBe(problem);
  });

  it.each<[Json, RegExp]>([
    [{ tools: [{ name: 'look_up', inputSchema: {} }] }, /^tools .*type/],
    [{ tools: [{ name: 'look_up', inputSchema: { type: 'string' } }] }, /^tools .*type/],
    [{ toolChoice: { mode: 'sometimes' } }, /^toolChoice.*mode/],
  ])('is refused with the member to change: %j', (params, problem) => {
    expect(samplingProblem({ messages: [], maxTokens: 1, ...params })).toMatch(problem);
  });

  it('is refused wherever the specification refuses it', () => {
    const isSpecified = validatorFor('2025-11-25', 'CreateMessageRequestParams');
    const value = jsonWith(['role', 'content', 'type', 'text', 'name', 'inputSchema', 'mode', 'hints', 'costPriority']);
    const member = fc.constantFrom(...Object.keys(EVERYTHING));
    fc.assert(
      fc.property(member, value, (name, wrong) => {
        const params = { ...EVERYTHING, [name]: wrong };
        expect(samplingProblem(params) !== undefined || isSpecified(params)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is checked in time in proportion to its messages', () => {
    const messages = Array.from({ length: 50_000 }, () => user(['x'.repeat(100), TEXT].slice(1)));
    expect(expectQuick(() => samplingProblem({ messages, maxTokens: 1 }))).toBeUndefined();
    const ids = Array.from({ length: 2_000 }, (_, index) => `id ${index}`);
    const paired = [assistant(ids.map(use)), user(ids.map(result))];
    expect(expectQuick(() => samplingProblem({ messages: paired, maxTokens: 1 }))).toBeUndefined();
  });
});

describe('a content block', () => {
  const RIGHT: Json[] = [
    TEXT,
    { type: 'text', text: '' },
    { type: 'image', data: '', mimeType: '' },
    { type: 'audio', data: 'a', mimeType: 'audio/wav' },
    use('1'),
    result('1'),
  ];

  it.each(RIGHT)('is right: %j', (block) => {
    expect(isSamplingBlock(block)).toBe(true);
  });

  const BROKEN = RIGHT.flatMap((block) =>
    Object.keys(block).flatMap((name) => [undefined, null, 1, true].map((value) => ({ ...block, [name]: value }))),
  );

  it.each(BROKEN)('is no block: %o', (block) => {
    expect(isSamplingBlock(block)).toBe(false);
  });

  it.each([
    [null],
    [undefined],
    ['text'],
    [[TEXT]],
    [{ type: 'toString' }],
    [{ type: 'resource', resource: {} }],
    [{}],
  ])('is refused: %j', (value) => {
    expect(isSamplingBlock(value)).toBe(false);
  });
});

describe('blocksOf', () => {
  it('reads one block as a list of one', () => {
    expect(blocksOf(TEXT)).toStrictEqual([TEXT]);
  });

  it('reads a list as it is', () => {
    const blocks = [TEXT, TEXT];
    expect(blocksOf(blocks)).toBe(blocks);
  });
});
