import * as newest from '@modelcontextprotocol/sdk/types.js';
import { type InputRequiredInput, inputRequired, isInputRequiredResult } from 'mcp-dual-era';
import * as oldest from 'sdk-v1-oldest/types.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';

const NOBODY =
  'This call needs input from a person, and no middleware was there to ask for it. ' +
  'Wrap the server with withInputRequiredShim(server) before connect.';
const FALLBACK = {
  isError: true,
  content: [{ type: 'text', text: NOBODY }],
  messages: [{ role: 'user', content: { type: 'text', text: NOBODY } }],
  contents: [{ uri: 'about:blank', mimeType: 'text/plain', text: NOBODY }],
};
const SCHEMA = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

describe('inputRequired', () => {
  it('builds an ask that says by itself that nobody answered', () => {
    const inputRequests = { who: inputRequired.listRoots() };
    expect(inputRequired({ inputRequests, requestState: { step: 1 } })).toStrictEqual({
      resultType: 'input_required',
      inputRequests: { who: { method: 'roots/list', params: {} } },
      requestState: { step: 1 },
      ...FALLBACK,
    });
  });

  it('builds an ask with questions only', () => {
    expect(inputRequired({ inputRequests: { who: inputRequired.listRoots() } })).not.toHaveProperty('requestState');
  });

  it.each([[0], [false], [[]], [{}]])('builds an ask with only the state %j', (requestState) => {
    expect(inputRequired({ requestState })).toStrictEqual({ resultType: 'input_required', requestState, ...FALLBACK });
  });

  it.each<[InputRequiredInput, string]>([
    [{}, 'undefined and undefined'],
    [{ inputRequests: {} }, 'an object and undefined'],
    [{ inputRequests: {}, requestState: null }, 'an object and null'],
    [{ requestState: null }, 'undefined and null'],
    [{ inputRequests: undefined, requestState: undefined }, 'undefined and undefined'],
  ])('refuses %j', (input, got) => {
    expect(() => inputRequired(input)).toThrow(
      new TypeError(`inputRequired needs at least one entry in inputRequests, or a requestState, got ${got}`),
    );
  });

  it.each([
    [
      undefined,
      'inputRequired needs at least one entry in inputRequests, or a requestState, got undefined and undefined',
    ],
    [{ inputRequest: {} }, 'inputRequired must have no members but inputRequests, requestState, got "inputRequest"'],
    [
      { inputRequests: { who: inputRequired.listRoots() }, requestStat: 1 },
      'inputRequired must have no members but inputRequests, requestState, got "requestStat"',
    ],
    [inputRequired.listRoots(), 'inputRequired must have no members but inputRequests, requestState, got "method"'],
  ])('says what to write instead of %j', (input, message) => {
    expect(() => inputRequired(input as never)).toThrow(new TypeError(message));
  });

  it('takes an ask that has got a state', () => {
    const ask = inputRequired({ inputRequests: { who: inputRequired.listRoots() } });
    expect(inputRequired({ ...ask, requestState: 1 })).toStrictEqual({ ...ask, requestState: 1 });
  });

  it('builds a new fallback for each ask', () => {
    const [first, second] = [inputRequired({ requestState: 1 }), inputRequired({ requestState: 1 })];
    first.content.pop();
    expect(second.content).toStrictEqual(FALLBACK.content);
  });

  it.each([
    ['newest', newest],
    ['oldest', oldest],
  ])('builds what the %s SDK v1 takes for the result of a tool, a prompt and a resource', (_name, sdk) => {
    const ask = inputRequired({ inputRequests: { who: inputRequired.listRoots() }, requestState: [1] });
    const travelling = { resultType: 'input_required', inputRequests: ask.inputRequests, requestState: [1] };
    expect(sdk.CallToolResultSchema.parse(ask)).toMatchObject({
      ...travelling,
      isError: true,
      content: FALLBACK.content,
    });
    expect(sdk.GetPromptResultSchema.parse(ask)).toMatchObject({ ...travelling, messages: FALLBACK.messages });
    expect(sdk.ReadResourceResultSchema.parse(ask)).toMatchObject({ ...travelling, contents: FALLBACK.contents });
  });
});

describe('the builders', () => {
  it('make a form', () => {
    expect(inputRequired.elicit({ message: 'Name?', requestedSchema: SCHEMA })).toStrictEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Name?', requestedSchema: SCHEMA },
    });
  });

  it.each(['elicit', 'elicitUrl'] as const)('leave what %s did not get to the check of the ask', (builder) => {
    expect(inputRequired[builder](undefined as never)).toMatchObject({ params: { message: undefined } });
  });

  it('make a form with a note', () => {
    expect(inputRequired.elicit({ message: 'Name?', requestedSchema: SCHEMA, note: 'Too long' })).toStrictEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Name?', requestedSchema: SCHEMA, note: 'Too long' },
    });
  });

  it('make a URL', () => {
    expect(inputRequired.elicitUrl({ message: 'Sign in', url: 'https://a.example' })).toStrictEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', url: 'https://a.example' },
    });
  });

  it('make a URL with an id', () => {
    expect(inputRequired.elicitUrl({ message: 'Sign in', url: 'https://a.example', elicitationId: 'e' })).toStrictEqual(
      {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Sign in', url: 'https://a.example', elicitationId: 'e' },
      },
    );
  });

  it('make a sampling request', () => {
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }],
      maxTokens: 5,
    };
    expect(inputRequired.createMessage(params)).toStrictEqual({ method: 'sampling/createMessage', params });
  });

  it('make a roots request', () => {
    expect(inputRequired.listRoots()).toStrictEqual({ method: 'roots/list', params: {} });
  });
});

describe('isInputRequiredResult', () => {
  it.each<[string, unknown]>([
    ['from the builder', inputRequired({ requestState: 1 })],
    ['written by hand', { resultType: 'input_required' }],
    ['out of JSON', JSON.parse(JSON.stringify(inputRequired({ requestState: 1 })))],
    ['that was spread', { ...inputRequired({ requestState: 1 }) }],
  ])('knows an ask %s', (_name, value) => {
    expect(isInputRequiredResult(value)).toBe(true);
  });

  it.each<[unknown]>([
    [null],
    [undefined],
    ['input_required'],
    [[]],
    [{}],
    [{ resultType: 'complete' }],
    [{ resultType: 'INPUT_REQUIRED' }],
    [{ resultType: ['input_required'] }],
    [{ inputRequests: {} }],
    [Object.create({ resultType: 'input_required' }) as Json],
    [JSON.parse('{"__proto__":{"resultType":"input_required"}}')],
  ])('knows that %j is none', (value) => {
    expect(isInputRequiredResult(value)).toBe(false);
  });
});
