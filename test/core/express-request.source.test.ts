import { describe, expect, it } from 'vitest';
import { expressRequest, messageOf } from '../../packages/shim/src/core/express-request.ts';
import { REVISIONS } from '../../packages/shim/src/core/revision.ts';
import type { Json } from '../support/json.ts';
import { checked, elicit, sample } from './checked-request.ts';

const formOf = (properties: Json, members: Json = {}) =>
  elicit({ mode: 'form', requestedSchema: { type: 'object', properties, ...members } });

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const TEXT = { type: 'text', text: 'hi' };
const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };
const TITLED = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

describe('a form', () => {
  it('keeps its schema and names its mode on 2025-11-25', () => {
    expect(expressRequest(elicit({ requestedSchema: NAME }), '2025-11-25')).toStrictEqual({
      params: { message: 'Name?', mode: 'form', requestedSchema: NAME },
    });
  });

  it('has no mode on 2025-06-18', () => {
    expect(expressRequest(elicit({ mode: 'form', requestedSchema: NAME }), '2025-06-18')).toStrictEqual({
      params: { message: 'Name?', requestedSchema: NAME },
    });
  });

  it('shows its note below its message, and sends no note', () => {
    expect(expressRequest(elicit({ requestedSchema: NAME, note: 'Too long' }), '2025-06-18')).toStrictEqual({
      params: { message: 'Name?\n\nToo long', requestedSchema: NAME },
    });
  });

  it('takes members that are not known along', () => {
    expect(expressRequest(elicit({ requestedSchema: NAME, _meta: { a: 1 } }), '2025-06-18')).toStrictEqual({
      params: { message: 'Name?', requestedSchema: NAME, _meta: { a: 1 } },
    });
  });

  it.each([
    ['2025-06-18', { type: 'object', properties: {}, required: [] }],
    ['2025-11-25', { $schema: 's', type: 'object', properties: {}, required: [] }],
  ])('on %s says of what a generator wrote only what the revision has', (revision, requestedSchema) => {
    const request = formOf({}, { $schema: 's', additionalProperties: false, required: [] });
    expect(expressRequest(request, revision)).toHaveProperty('params.requestedSchema', requestedSchema);
  });

  it.each<[string, Json, Json]>([
    [
      'titled choices as enum and enumNames',
      { type: 'string', title: 't', oneOf: TITLED, default: 'a' },
      {
        type: 'string',
        title: 't',
        enum: ['a', 'b'],
        enumNames: ['A', 'B'],
      },
    ],
    ['choices as they are', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }],
    [
      'old titled choices as they are',
      { type: 'string', enum: ['a'], enumNames: ['A'] },
      {
        type: 'string',
        enum: ['a'],
        enumNames: ['A'],
      },
    ],
    ['a default of a boolean', { type: 'boolean', default: true }, { type: 'boolean', default: true }],
    ['no default of a text', { type: 'string', default: 'x', maxLength: 9 }, { type: 'string', maxLength: 9 }],
    ['no default of a number', { type: 'number', default: 1, minimum: 0 }, { type: 'number', minimum: 0 }],
    ['no default of a whole number', { type: 'integer', default: 1 }, { type: 'integer' }],
    ['no default of a choice', { type: 'string', enum: ['a'], default: 'a' }, { type: 'string', enum: ['a'] }],
  ])('has %s on 2025-06-18', (_name, field, said) => {
    expect(expressRequest(formOf({ f: field }), '2025-06-18')).toHaveProperty(
      'params.requestedSchema.properties.f',
      said,
    );
    expect(expressRequest(formOf({ f: field }), '2025-11-25')).toHaveProperty(
      'params.requestedSchema.properties.f',
      field,
    );
  });

  it('does not require on 2025-06-18 what has a default that is filled in on the answer', () => {
    const properties = {
      bare: { type: 'string' },
      text: { type: 'string', default: '' },
      count: { type: 'integer', default: 0 },
      flag: { type: 'boolean', default: true },
    };
    const request = formOf(properties, { required: ['bare', 'text', 'count', 'flag'] });
    expect(expressRequest(request, '2025-06-18')).toHaveProperty('params.requestedSchema.required', ['bare', 'flag']);
    expect(expressRequest(request, '2025-11-25')).toHaveProperty('params.requestedSchema.required', [
      'bare',
      'text',
      'count',
      'flag',
    ]);
  });

  it('has no list of required fields where none was given', () => {
    expect(expressRequest(formOf({}), '2025-06-18')).toStrictEqual({
      params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
    });
  });

  it('has no multiple choice on 2025-06-18', () => {
    const field = { type: 'array', items: { anyOf: TITLED } };
    expect(expressRequest(formOf({ a: { type: 'string' }, b: field }), '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has no multiple choice (field "b")',
    });
  });

  it.each(['2024-11-05', '2025-03-26'])('is not there on %s', (revision) => {
    expect(expressRequest(elicit({ requestedSchema: NAME }), revision)).toStrictEqual({
      cannot: `revision ${revision} has no elicitation`,
    });
  });

  it.each(['__proto__', 'constructor'])('keeps a field named %s as an own member', (name) => {
    const properties = JSON.parse(`{"${name}":{"type":"string","default":"x"}}`);
    const said = expressRequest(formOf(properties), '2025-06-18');
    expect(JSON.stringify(said)).toBe(
      `{"params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"${name}":{"type":"string"}}}}}`,
    );
  });
});

describe('a URL', () => {
  const request = elicit({ mode: 'url', url: 'https://a.example', elicitationId: 'e', note: 'Again' });

  it('is sent as it is, with its note below its message', () => {
    expect(expressRequest(request, '2025-11-25')).toStrictEqual({
      params: { mode: 'url', message: 'Name?\n\nAgain', url: 'https://a.example', elicitationId: 'e' },
    });
  });

  it('is not there on 2025-06-18', () => {
    expect(expressRequest(request, '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has no URL mode elicitation',
    });
  });
});

describe('roots', () => {
  it.each(REVISIONS)('are asked for alike on %s', (revision) => {
    const params = { _meta: {}, note: 'not known' };
    expect(expressRequest(checked('roots/list', params), revision)).toStrictEqual({ params });
  });
});

describe('sampling', () => {
  it('is sent as it is on 2025-11-25', () => {
    const request = sample({ messages: [{ role: 'user', content: [TEXT, IMAGE] }], tools: [] });
    expect(expressRequest(request, '2025-11-25')).toStrictEqual({ params: request.params });
  });

  it('has a list of one block as that block before', () => {
    const request = sample({
      messages: [
        { role: 'user', content: [TEXT] },
        { role: 'assistant', content: IMAGE },
      ],
    });
    expect(expressRequest(request, '2025-06-18')).toStrictEqual({
      params: {
        maxTokens: 5,
        messages: [
          { role: 'user', content: TEXT },
          { role: 'assistant', content: IMAGE },
        ],
      },
    });
  });

  it.each([[[TEXT, TEXT]], [[]]])('has no list of other than one block before: %j', (content) => {
    expect(expressRequest(sample({ messages: [{ role: 'user', content }] }), '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has only one content block in a sampling message',
    });
  });

  it.each([TEXT, IMAGE])('has text and images on 2024-11-05: %j', (content) => {
    const request = sample({ messages: [{ role: 'user', content }] });
    expect(expressRequest(request, '2024-11-05')).toStrictEqual({ params: request.params });
  });

  it('has no audio on 2024-11-05', () => {
    const request = sample({ messages: [{ role: 'user', content: AUDIO }] });
    expect(expressRequest(request, '2024-11-05')).toStrictEqual({
      cannot: 'revision 2024-11-05 has no audio block in a sampling message',
    });
    expect(expressRequest(request, '2025-03-26')).toStrictEqual({ params: request.params });
  });

  it('has no tool blocks before 2025-11-25', () => {
    const messages = [
      { role: 'assistant', content: { type: 'tool_use', id: '1', name: 'n', input: {} } },
      { role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [] } },
    ];
    expect(expressRequest(sample({ messages }), '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has no tool_use block in a sampling message',
    });
    const second = { ...sample({ messages }), params: { messages: messages.slice(1) } };
    expect(expressRequest(second, '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has no tool_result block in a sampling message',
    });
  });

  it('has no tools before 2025-11-25', () => {
    expect(expressRequest(sample({ messages: [], toolChoice: {} }), '2025-06-18')).toStrictEqual({
      cannot: 'revision 2025-06-18 has no sampling with tools',
    });
  });
});

describe('messageOf', () => {
  it.each<[Json, string]>([
    [{ message: 'm' }, 'm'],
    [{ message: 'm', note: '' }, 'm'],
    [{ message: 'm', note: undefined }, 'm'],
    [{ message: 'm', note: 'n' }, 'm\n\nn'],
  ])('reads %j as %j', (params, message) => {
    expect(messageOf(params)).toBe(message);
  });
});
