import { describe, expect, it } from 'vitest';
import {
  type AskingMethod,
  EXPLANATIONS,
  isAskingMethod,
  OUTCOME_KEY,
  refusalAnswer,
  targetOf,
} from '../../packages/shim/src/core/outcome.ts';

describe('a refused call', () => {
  const common = { reason: 'timeout', target: 'deploy', round: 2, key: 'q' } as const;

  it('of a tool ends as an error result that carries the outcome', () => {
    const outcome = { ...common, method: 'tools/call' };
    expect(refusalAnswer(0, outcome, 'too late.')).toStrictEqual({
      jsonrpc: '2.0',
      id: 0,
      result: {
        content: [{ type: 'text', text: 'The tool deploy was not completed: too late.' }],
        isError: true,
        _meta: { 'mcp-dual-era/outcome': outcome },
      },
    });
  });

  it.each([
    ['prompts/get', 'prompt'],
    ['resources/read', 'resource'],
  ])('of %s ends as a JSON-RPC error that carries the outcome', (method, noun) => {
    const outcome = { ...common, method };
    expect(refusalAnswer('a', outcome, 'too late.')).toStrictEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32603, message: `The ${noun} deploy was not completed: too late.`, data: outcome },
    });
  });

  it('is read under a key of this package', () => {
    expect(OUTCOME_KEY).toBe('mcp-dual-era/outcome');
  });

  it('tells each reason in words', () => {
    expect(EXPLANATIONS).toStrictEqual({
      unsupported: 'it has to ask something that this client cannot answer',
      'no-channel': 'it has to ask something, and no question can reach this client',
      timeout: 'its question was not answered in time',
      'client-error': 'the client answered its question with an error',
      malformed: 'the client answered its question with something that is no answer to it',
      declined: 'its question was declined',
      cancelled: 'its question was dismissed',
      'repeated-ask': 'it asked the same question again, which had no usable answer',
      'rounds-exceeded': 'it asked more often than this server allows in one call',
      busy: 'too many calls are waiting for an answer',
      'shim-off': 'it has to ask something, and asking is switched off on this server',
    });
  });
});

describe('the methods that may ask', () => {
  it.each([
    ['tools/call', true],
    ['prompts/get', true],
    ['resources/read', true],
    ['tools/list', false],
    ['initialize', false],
    ['toString', false],
    ['__proto__', false],
    ['', false],
  ])('%s: %s', (method, mayAsk) => {
    expect(isAskingMethod(method)).toBe(mayAsk);
  });
});

describe('targetOf', () => {
  it.each<[AskingMethod, Record<string, unknown>, string]>([
    ['tools/call', { name: 'deploy', uri: 'x' }, 'deploy'],
    ['prompts/get', { name: 'plan' }, 'plan'],
    ['resources/read', { uri: 'file:///a', name: 'x' }, 'file:///a'],
    ['tools/call', {}, ''],
    ['tools/call', { name: 7 }, ''],
    ['resources/read', { uri: null }, ''],
  ])('of %s with %j is %j', (method, params, target) => {
    expect(targetOf(method, params)).toBe(target);
  });
});
