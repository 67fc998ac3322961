import { acceptedContent, inputContext, inputResponse } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Json } from '../support/json.ts';
import { deliver } from './delivery.ts';

const TEXT = { type: 'text', text: 'short' };
const SAMPLED = { role: 'assistant', model: 'm', content: TEXT };
const UNREADABLE = [null, undefined, [], 'q', 0, true, {}] as unknown[];

describe('inputResponse', () => {
  it.each<[unknown, Json]>([
    [
      { action: 'accept', content: { name: 'Ada' } },
      { kind: 'elicit', action: 'accept', content: { name: 'Ada' } },
    ],
    [{ action: 'accept' }, { kind: 'elicit', action: 'accept' }],
    [
      { action: 'accept', content: null },
      { kind: 'elicit', action: 'accept' },
    ],
    [
      { action: 'decline', content: {} },
      { kind: 'elicit', action: 'decline' },
    ],
    [{ action: 'cancel' }, { kind: 'elicit', action: 'cancel' }],
    [{ roots: [{ uri: 'file:///a' }] }, { kind: 'roots', roots: [{ uri: 'file:///a' }] }],
    [SAMPLED, { kind: 'sampling', result: SAMPLED }],
    [{ action: 'agree' }, { kind: 'missing' }],
    [{ action: 'accept', content: { a: null } }, { kind: 'missing' }],
    [{ roots: 'all' }, { kind: 'missing' }],
    [{ ...SAMPLED, model: undefined }, { kind: 'missing' }],
    [null, { kind: 'missing' }],
    ['accept', { kind: 'missing' }],
  ])('tells %j by its shape', (answer, response) => {
    expect(inputResponse({ q: answer }, 'q')).toStrictEqual(response);
  });

  it.each(UNREADABLE)('misses an answer in %j', (responses) => {
    expect(inputResponse(responses as Json, 'q')).toStrictEqual({ kind: 'missing' });
  });

  it.each(['__proto__', 'constructor', 'toString'])('reads own members only: %s', (key) => {
    expect(inputResponse({}, key)).toStrictEqual({ kind: 'missing' });
    expect(inputResponse(JSON.parse(`{"${key}":{"action":"decline"}}`), key)).toStrictEqual({
      kind: 'elicit',
      action: 'decline',
    });
  });

  it('misses an answer on the prototype', () => {
    expect(inputResponse(Object.create({ q: { action: 'accept' } }), 'q')).toStrictEqual({ kind: 'missing' });
    expect(inputResponse(JSON.parse('{"__proto__":{"q":{"action":"accept"}}}'), 'q')).toStrictEqual({
      kind: 'missing',
    });
  });
});

describe('acceptedContent', () => {
  const accepted = { q: { action: 'accept', content: { age: '36' } } };

  it('is the content of an accepted form', () => {
    expect(acceptedContent(accepted, 'q')).toBe(accepted.q.content);
  });

  it('is what the schema makes of it', () => {
    const schema = z.object({ age: z.coerce.number(), unit: z.string().default('years') });
    expect(acceptedContent(accepted, 'q', schema)).toStrictEqual({ age: 36, unit: 'years' });
  });

  it('is undefined where the schema refuses it', () => {
    expect(acceptedContent(accepted, 'q', z.object({ age: z.number() }))).toBeUndefined();
  });

  it.each([
    [{ action: 'accept' }],
    [{ action: 'accept', content: null }],
    [{ action: 'decline', content: { age: '36' } }],
    [{ action: 'cancel' }],
    [{ action: 'accept', content: { age: null } }],
    [SAMPLED],
    [{ roots: [] }],
    [undefined],
  ])('is undefined for %j, with a schema that takes anything and without', (answer) => {
    expect(acceptedContent({ q: answer }, 'q')).toBeUndefined();
    expect(acceptedContent({ q: answer }, 'q', z.any())).toBeUndefined();
  });

  it.each(UNREADABLE)('is undefined in %j', (responses) => {
    expect(acceptedContent(responses as Json, 'q')).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString'])('never comes off the prototype: %s', (key) => {
    expect(acceptedContent({}, key)).toBeUndefined();
  });

  it('keeps a field named __proto__ an own member', () => {
    const content = acceptedContent(JSON.parse('{"q":{"action":"accept","content":{"__proto__":"x"}}}'), 'q');
    expect(JSON.stringify(content)).toBe('{"__proto__":"x"}');
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
  });

  it('refuses a schema that validates asynchronously', () => {
    const schema = z.object({ age: z.string().refine(async () => true) });
    const read = () =>
      acceptedContent(accepted, 'q', {
        '~standard': {
          ...schema['~standard'],
          validate: (value) => schema.parseAsync(value).then((read) => ({ value: read })),
        },
      });
    expect(read).toThrow(
      new TypeError('The schema to read an answer with must be synchronous, got one that returns a promise'),
    );
  });
});

describe('a schema that makes something out of nothing', () => {
  const willing = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: { sure: true } }) } } as const;
  const answers: Json = {
    declined: { action: 'decline' },
    dismissed: { action: 'cancel' },
    empty: { action: 'accept' },
    sampled: { role: 'assistant', model: 'm', content: { type: 'text', text: 'sure' } },
    listed: { roots: [] },
    broken: { action: 'maybe', content: { sure: true } },
  };

  it.each([...Object.keys(answers), 'absent'])('is not asked about an answer that is %s', (key) => {
    expect(acceptedContent(answers, key, willing)).toBeUndefined();
    const context = inputContext(deliver({ responses: answers }));
    expect(context.accepted(key, willing)).toBeUndefined();
    expect(context.response(key, willing)).toStrictEqual(inputResponse(answers, key));
  });

  it('is not believed where it has issues too', () => {
    const issues = [{ message: 'no' }];
    const torn = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ value: { sure: true }, issues }) },
    } as const;
    const given = { q: { action: 'accept', content: {} } };
    expect(acceptedContent(given, 'q', torn)).toBeUndefined();
    expect(inputContext(deliver({ responses: given })).accepted('q', torn)).toBeUndefined();
  });
});
