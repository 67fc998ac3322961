import { afterEach, describe, expect, it } from 'vitest';
import { ask, form, roots, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const NEITHER = 'an ask needs at least one entry in inputRequests, or a requestState';
const KNOWN = 'must be elicitation/create, sampling/createMessage or roots/list';
const ENTRY = 'inputRequests["q"] must be an embedded request { method, params }';
const NO_TEXT = 'message must be a text to show, got ';
const NO_TYPE = 'field "f": type must be string, number, integer, boolean or array';
const NO_STRING =
  'requestState is a string that was not minted for this call: return what inputContext(extra).mintRequestState gave, ' +
  'or the value itself';

const withParams = (request: Json, params: Json): Json => ({ ...request, params: { ...request['params'], ...params } });
const askOne = (request: unknown): Json => ask({ q: request });
const formOf = (field: unknown): Json => askOne(form('Name?', { type: 'object', properties: { f: field as Json } }));
const cyclic: Json = { a: 1 };
cyclic['self'] = cyclic;
const throwing = (name: string): Json => ({
  resultType: 'input_required',
  get [name](): unknown {
    throw new Error('the getter threw');
  },
});

const TEXT = { type: 'text', text: 'x' };
const TOOL_USE = { type: 'tool_use', id: '1', name: 'x', input: {} };
const TOOL_RESULT = { type: 'tool_result', toolUseId: '1', content: [] };
const toolUse = { role: 'assistant', content: TOOL_USE };

/** What a handler returned, and what its author is told. */
const MISTAKES: readonly (readonly [string, () => unknown, string])[] = [
  ['neither member', () => ({ resultType: 'input_required' }), NEITHER],
  ['no entry and no state', () => ask({}), NEITHER],
  ['null for both', () => ({ resultType: 'input_required', inputRequests: null, requestState: null }), NEITHER],
  [
    'a list of requests',
    () => ask([form()]),
    'inputRequests must be an object of embedded requests by key, got an array',
  ],
  [
    'a string of requests',
    () => ask('who' as never),
    'inputRequests must be an object of embedded requests by key, got "who"',
  ],
  ['a map of requests', () => ask(new Map([['q', form()]]) as never), NEITHER],
  ['a null entry', () => askOne(null), `${ENTRY}, got null`],
  ['a string entry', () => askOne('Your name?'), `${ENTRY}, got "Your name?"`],
  [
    'an unknown kind',
    () => askOne({ method: 'tools/call', params: {} }),
    `inputRequests["q"].method ${KNOWN}, got "tools/call"`,
  ],
  ['no method', () => askOne({ params: {} }), `inputRequests["q"].method ${KNOWN}, got undefined`],
  [
    'no params',
    () => askOne({ method: 'elicitation/create' }),
    'inputRequests["q"].params must be an object, got undefined',
  ],
  [
    'params that are a list',
    () => askOne({ method: 'roots/list', params: [] }),
    'inputRequests["q"].params must be an object, got an array',
  ],
  ['no message', () => askOne(withParams(form(), { message: undefined })), NO_TEXT],
  ['an empty message', () => askOne(withParams(url(), { message: '' })), NO_TEXT],
  ['an unknown mode', () => askOne(withParams(form(), { mode: 'voice' })), 'mode must be "form" or "url", got "voice"'],
  ['a note that is no string', () => askOne(withParams(form(), { note: 5 })), 'note must be a string, got 5'],
  [
    'no schema',
    () => askOne(withParams(form(), { requestedSchema: undefined })),
    'requestedSchema must be a zod object, form() or JSON Schema, got undefined',
  ],
  [
    'a schema that is no object',
    () => askOne(form('X', { type: 'string' })),
    'requestedSchema must have type "object", got "string"',
  ],
  [
    'a schema without properties',
    () => askOne(form('X', { type: 'object' })),
    'requestedSchema must have properties, got undefined',
  ],
  ['a nested object', () => formOf({ type: 'object', properties: {} }), `${NO_TYPE}, got "object"`],
  ['a type that every object inherits', () => formOf({ type: 'toString' }), `${NO_TYPE}, got "toString"`],
  [
    'a pattern',
    () => formOf({ type: 'string', pattern: '^a' }),
    'field "f": a form cannot say "pattern" of a string field',
  ],
  [
    'an unknown format',
    () => formOf({ type: 'string', format: 'ipv4' }),
    'field "f": format must be email, uri, date or date-time, got "ipv4"',
  ],
  [
    'bounds the wrong way round',
    () => formOf({ type: 'integer', minimum: 2, maximum: 1 }),
    'field "f": minimum is above maximum',
  ],
  [
    'a default of another type',
    () => formOf({ type: 'boolean', default: 'yes' }),
    'field "f": default must be of the type of the field, got "yes"',
  ],
  ['no choices', () => formOf({ type: 'string', enum: [] }), 'field "f": enum must be a list of at least one string'],
  ['a choice twice', () => formOf({ type: 'string', enum: ['a', 'a'] }), 'field "f": enum names a choice twice'],
  [
    'a required field that is none',
    () => askOne(form('X', { type: 'object', properties: {}, required: ['g'] })),
    'required names "g", which is no field of the form',
  ],
  ['a relative URL', () => askOne(url('X', '/connect')), 'url must be an absolute https URL'],
  ['no URL', () => askOne(withParams(url(), { url: undefined })), 'url must be an absolute https URL'],
  [
    'a URL that is not encrypted',
    () => askOne(url('X', 'http://mcp.example.com/connect')),
    'url must be https, unless it is on this machine',
  ],
  [
    'a URL with a password',
    () => askOne(url('X', 'https://ada:pw@mcp.example.com/connect')),
    'url must not carry a user name or password',
  ],
  [
    'an empty elicitationId',
    () => askOne(withParams(url(), { elicitationId: '' })),
    'elicitationId must be a non-empty string, got ""',
  ],
  [
    'no sampling messages',
    () => askOne(withParams(sampling(), { messages: undefined })),
    'messages must be a list, got undefined',
  ],
  [
    'no maxTokens',
    () => askOne(withParams(sampling(), { maxTokens: undefined })),
    'maxTokens must be a whole number, got undefined',
  ],
  [
    'a sampling message without a role',
    () => askOne(withParams(sampling(), { messages: [{ content: { type: 'text', text: 'x' } }] })),
    'messages[0]: role must be "user" or "assistant", got undefined',
  ],
  [
    'a tool_use that is not answered',
    () => askOne(withParams(sampling(), { messages: [toolUse] })),
    'the last message must not leave a tool_use unanswered',
  ],
  [
    'a tool_result beside something else',
    () => askOne(withParams(sampling(), { messages: [toolUse, { role: 'user', content: [TOOL_RESULT, TEXT] }] })),
    'messages[1]: a message with a tool_result block must hold nothing else',
  ],
  ['a string state', () => ask({ q: form() }, 'step-1'), NO_STRING],
  ['an empty string state', () => ask({ q: form() }, ''), NO_STRING],
  ['a state that is not finite', () => ask({ q: form() }, Number.NaN), 'requestState must be a JSON value, got NaN'],
  ['a function for a state', () => ask({ q: form() }, () => 1), 'requestState must be a JSON value, got a function'],
  ['a symbol for a state', () => ask({ q: form() }, Symbol('s')), 'requestState must be a JSON value, got Symbol(s)'],
  [
    'a BigInt for a state',
    () => ask({ q: form() }, 1n),
    'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
  ],
  [
    'a BigInt in a state',
    () => ask({ q: form() }, { n: 1n }),
    'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
  ],
  [
    'a cyclic state',
    () => ask({ q: form() }, cyclic),
    'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
  ],
  [
    'a state beyond maxBytes',
    () => ask({ q: form() }, 'x'.repeat(70_000).split('')),
    'requestState must have at most 65536 bytes as JSON, got 280001',
  ],
  [
    'a state whose getter throws',
    () => ask({ q: form() }, throwing('member')),
    'requestState must be a JSON value: it has a cycle, a bigint, or throws when read',
  ],
  // At the top of a tool's result SDK v1 itself meets these first, and answers the same without the advice.
  ['a requestState getter that throws', () => throwing('requestState'), 'threw'],
  ['an inputRequests getter that throws', () => throwing('inputRequests'), 'threw'],
  ['an entry whose getter throws', () => askOne(throwing('method')), 'the ask cannot be read: it threw'],
  [
    'one bad entry among good ones',
    () => ask({ a: form(), b: roots(), q: { method: 'ping' } }),
    `inputRequests["q"].method ${KNOWN}, got "ping"`,
  ],
];

describe.each(METHODS)('[H2a] [H2b] [H2h] [H2j] [S2] [S16] a mistake in an ask, %s', (method) => {
  let session: PlaySession;
  afterEach(() => session.close());

  it.each(MISTAKES)('is -32603, says what to change, and sends nothing: %s', async (_, mistake, message) => {
    let isMistaken = true;
    session = await openPlay(() => (isMistaken ? mistake() : 'fine'));
    const { peer, run, runs, events } = session;
    const id = await run(method);
    const answer = await peer.next();
    expect(answer).toMatchObject({ id, error: { code: -32603 } });
    expect(answer['error'].message).toContain(message);
    if (message !== 'threw') expect(events.map(({ type }) => type)).toEqual(['error']);
    expect(runs()).toBe(1);
    await expectNothingLeft(session);
    isMistaken = false;
    await run(method, id);
    expect(textOf(await peer.next())).toBe('fine');
  });
});
