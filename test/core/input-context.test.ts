import { inputContext, once } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Json } from '../support/json.ts';
import { deliver } from './delivery.ts';

const KINDS = ['form', 'url', 'sampling', 'sampling.tools', 'roots'] as const;
const ADA = { action: 'accept', content: { age: 36 } };
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } };
const ROOTS = { roots: [{ uri: 'file:///a' }] };
const NAME = z.object({ age: z.number() });
const STRICT = z.object({ age: z.number('must be younger').max(30, 'must be younger') });

const own = (members: Json): Json => Object.assign(Object.create(null), members);
const contextWith = (members: Json) => inputContext(deliver({ responses: own(members) }));

describe('a call that no middleware delivered', () => {
  it.each([
    ['an empty extra', {}],
    ['a _meta of its own', { _meta: {} }],
    ['a client that forges a record', { _meta: { round: 3, responses: { q: ADA }, state: '1' } }],
    ['a _meta that is no object', { _meta: 'x' as never }],
  ])('reads as a first entry that can ask nothing: %s', (_name, extra) => {
    const context = inputContext(extra);
    expect(context.round).toBe(0);
    expect(context.responses).toBeUndefined();
    expect(context.requestState()).toBeUndefined();
    expect(context.accepted('q')).toBeUndefined();
    expect(context.accepted('q', NAME)).toBeUndefined();
    expect(context.elicitResult('q')).toBeUndefined();
    expect(context.samplingResult('q')).toBeUndefined();
    expect(context.rootsResult('q')).toBeUndefined();
    expect(context.response('q')).toStrictEqual({ kind: 'missing' });
    expect(context.response('q', NAME)).toStrictEqual({ kind: 'missing' });
    expect(context.elicitationId('q')).toBeUndefined();
    expect(context.confirm('q', { message: 'Sure?' })).toMatchObject({
      ask: { isError: true, inputRequests: { q: { method: 'elicitation/create', params: { message: 'Sure?' } } } },
    });
    expect(KINDS.filter((kind) => context.canAsk(kind))).toStrictEqual([]);
  });
});

describe('something else than extra', () => {
  it.each<[string, unknown, string]>([
    ['nothing, as for a tool without inputSchema', undefined, 'undefined'],
    ['the arguments of a tool', { branch: 'old' }, 'an object'],
    ['the URI of a resource', new URL('a:b'), 'an object'],
    ['a name', 'old', '"old"'],
  ])('is refused: %s', async (_what, given, got) => {
    const error = new TypeError(`extra must be the last argument of the handler, not its arguments, got ${got}`);
    expect(() => inputContext(given as never)).toThrow(error);
    await expect(once(given as never, 'key', () => 1)).rejects.toThrow(error);
  });
});

describe('a call that a middleware delivered', () => {
  it('knows its round', () => {
    expect(inputContext(deliver({ round: 3 })).round).toBe(3);
  });

  it('reads the record of its own delivery', () => {
    const [first, second] = [deliver({ round: 1 }), deliver({ round: 2 })];
    expect([inputContext(first).round, inputContext(second).round]).toStrictEqual([1, 2]);
  });

  it('has the raw answers', () => {
    const responses = own({ q: ADA });
    expect(inputContext(deliver({ responses })).responses).toBe(responses);
  });

  it('can ask what the middleware says', () => {
    const context = inputContext(deliver({ canAsk: (kind) => kind === 'url' || kind === 'roots' }));
    expect(KINDS.filter((kind) => context.canAsk(kind))).toStrictEqual(['url', 'roots']);
  });

  it('reads each kind of answer as that kind, and as no other', () => {
    const context = contextWith({ form: ADA, sampling: SAMPLED, roots: ROOTS, bad: { action: 'agree' } });
    const keys = ['form', 'sampling', 'roots', 'bad', 'none'];
    expect(keys.map((key) => context.elicitResult(key))).toStrictEqual([ADA, ...Array(4).fill(undefined)]);
    expect(keys.map((key) => context.samplingResult(key))).toStrictEqual([
      undefined,
      SAMPLED,
      ...Array(3).fill(undefined),
    ]);
    expect(keys.map((key) => context.rootsResult(key))).toStrictEqual([
      undefined,
      undefined,
      ROOTS,
      undefined,
      undefined,
    ]);
    expect(keys.map((key) => context.response(key).kind)).toStrictEqual([
      'elicit',
      'sampling',
      'roots',
      'missing',
      'missing',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('finds no answer under %s where none came', (key) => {
    const context = contextWith({ q: ADA });
    expect(context.accepted(key)).toBeUndefined();
    expect(context.elicitResult(key)).toBeUndefined();
    expect(context.samplingResult(key)).toBeUndefined();
    expect(context.rootsResult(key)).toBeUndefined();
    expect(context.response(key)).toStrictEqual({ kind: 'missing' });
  });

  it.each(['__proto__', 'constructor', 'toString'])('finds the answer under %s where one came', (key) => {
    const responses = Object.create(null);
    Object.defineProperty(responses, key, { value: ADA, enumerable: true });
    expect(inputContext(deliver({ responses })).accepted(key)).toStrictEqual({ age: 36 });
  });
});

describe('accepted', () => {
  it('is the content of an accepted form', () => {
    expect(contextWith({ q: ADA }).accepted('q')).toStrictEqual({ age: 36 });
  });

  it('is what the schema makes of it', () => {
    const schema = z.object({ age: z.number().transform((age) => `${age} years`) });
    expect(contextWith({ q: ADA }).accepted('q', schema)).toStrictEqual({ age: '36 years' });
  });

  it.each([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['accepted without content', { action: 'accept' }],
    ['a sampling result', SAMPLED],
    ['a roots result', ROOTS],
  ])('is undefined for what was %s', (_name, answer) => {
    expect(contextWith({ q: answer }).accepted('q')).toBeUndefined();
    expect(contextWith({ q: answer }).accepted('q', z.any())).toBeUndefined();
  });

  it('is undefined where the content is not as the form asked, whatever the schema says', () => {
    const invalid = new Map([['q', [{ path: 'age', message: 'must be text' }]]]);
    const context = inputContext(deliver({ responses: own({ q: ADA }), invalid }));
    expect(context.accepted('q')).toBeUndefined();
    expect(context.accepted('q', z.any())).toBeUndefined();
  });

  it('is undefined where the schema refuses it, which the middleware is told', () => {
    const noteUnusable = vi.fn();
    const context = inputContext(deliver({ responses: own({ q: ADA }), noteUnusable }));
    expect(context.accepted('q', STRICT)).toBeUndefined();
    expect(noteUnusable.mock.calls).toStrictEqual([['q']]);
  });

  it('is undefined where the schema refuses it, where nobody is told', () => {
    const context = inputContext(deliver({ responses: own({ q: ADA }), noteUnusable: undefined }));
    expect(context.accepted('q', STRICT)).toBeUndefined();
  });

  it('tells the middleware nothing of a usable answer, or of none', () => {
    const noteUnusable = vi.fn();
    const context = inputContext(deliver({ responses: own({ q: ADA, no: { action: 'decline' } }), noteUnusable }));
    context.accepted('q');
    context.accepted('q', NAME);
    context.accepted('no', STRICT);
    context.accepted('missing', STRICT);
    expect(noteUnusable).not.toHaveBeenCalled();
  });
});

describe('response', () => {
  it('has content that the schema has parsed', () => {
    const schema = z.object({ age: z.number(), unit: z.string().default('years') });
    expect(contextWith({ q: ADA }).response('q', schema)).toStrictEqual({
      kind: 'elicit',
      action: 'accept',
      content: { age: 36, unit: 'years' },
    });
  });

  it('has the issues of content that the schema refuses, which the middleware is told', () => {
    const noteUnusable = vi.fn();
    const context = inputContext(deliver({ responses: own({ q: ADA }), noteUnusable }));
    expect(context.response('q', STRICT)).toStrictEqual({
      kind: 'invalid',
      issues: [{ path: 'age', message: 'must be younger' }],
    });
    expect(noteUnusable.mock.calls).toStrictEqual([['q']]);
  });

  it('has the issues of content that is not as the form asked', () => {
    const issues = [{ path: 'age', message: 'must be text' }];
    const context = inputContext(deliver({ responses: own({ q: ADA }), invalid: new Map([['q', issues]]) }));
    expect(context.response('q')).toStrictEqual({ kind: 'invalid', issues });
    expect(context.response('q', NAME)).toStrictEqual({ kind: 'invalid', issues });
  });

  it.each([
    [{ reason: 'client-error', code: -32601 }],
    [{ reason: 'client-error' }],
    [{ reason: 'malformed' }],
  ] as const)('says why an answer failed: %j', (failed) => {
    const context = inputContext(deliver({ failed: new Map([['q', failed]]) }));
    expect(context.response('q')).toStrictEqual({ kind: 'failed', ...failed });
    expect(context.response('q', NAME)).toStrictEqual({ kind: 'failed', ...failed });
    expect(context.accepted('q')).toBeUndefined();
    expect(context.elicitResult('q')).toBeUndefined();
  });

  it.each([
    [{ action: 'accept' }, { kind: 'elicit', action: 'accept' }],
    [{ action: 'decline' }, { kind: 'elicit', action: 'decline' }],
    [SAMPLED, { kind: 'sampling', result: SAMPLED }],
  ])('reads %j without asking the schema', (answer, response) => {
    const refuse = z.never();
    expect(contextWith({ q: answer }).response('q', refuse)).toStrictEqual(response);
  });

  it('refuses a schema that validates asynchronously', () => {
    const validate = () => Promise.resolve({ value: 1 });
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } };
    expect(() => contextWith({ q: ADA }).response('q', schema)).toThrow(TypeError);
  });
});

describe('requestState', () => {
  it.each([
    ['{"step":1}', { step: 1 }],
    ['[1]', [1]],
    ['0', 0],
    ['false', false],
    ['""', ''],
  ])('is the value behind %s', (state, value) => {
    expect(inputContext(deliver({ state })).requestState()).toStrictEqual(value);
  });

  it('is a fresh copy each time', () => {
    const context = inputContext(deliver({ state: '{"list":[]}' }));
    context.requestState<{ list: number[] }>()?.list.push(1);
    expect(context.requestState()).toStrictEqual({ list: [] });
  });

  it('keeps a member named __proto__ an own one', () => {
    const state = inputContext(deliver({ state: '{"__proto__":{"admin":true}}' })).requestState<Json>();
    expect(JSON.stringify(state)).toBe('{"__proto__":{"admin":true}}');
    expect(state?.['admin']).toBeUndefined();
  });
});

describe('what a middleware put beside the run', () => {
  it('has the ids of the URLs that were asked', () => {
    const context = inputContext(deliver({ elicitationIds: new Map([['auth', 'id-1']]) }));
    expect([context.elicitationId('auth'), context.elicitationId('other')]).toEqual(['id-1', undefined]);
    expect(inputContext(deliver({})).elicitationId('auth')).toBeUndefined();
  });

  it('seals a state', () => {
    const context = inputContext(deliver({ mint: (payload) => `sealed ${JSON.stringify(payload)}` }));
    expect(context.mintRequestState({ step: 1 })).toBe('sealed {"step":1}');
  });

  it('is needed to seal one', () => {
    expect(() => inputContext({}).mintRequestState(1)).toThrow(
      expect.objectContaining({
        code: 'NO_MIDDLEWARE',
        message:
          'A state can be minted only in a call that the shim delivered. Wrap the server with withInputRequiredShim before connect.',
      }),
    );
  });
});

it('an extra of a test may have a signal alone', () => {
  expect(inputContext({ signal: new AbortController().signal } as never).round).toBe(0);
});
