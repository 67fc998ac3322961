import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkAsk } from '../../packages/shim/src/core/check-ask.ts';
import type { Json } from '../support/json.ts';
import { HOSTILE_NAMES, jsonWith } from './arbitraries.ts';
import { expectQuick, wideObject } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const MAX_BYTES = 65_536;
const FORM = { type: 'object', properties: { name: { type: 'string' } } };
const TEXT = { type: 'text', text: 'Sum up' };

const checkRequest = (request: unknown) => checkAsk({ inputRequests: { q: request } }, MAX_BYTES);
const checkElicit = (params: unknown) => checkRequest({ method: 'elicitation/create', params });
const checkState = (requestState: unknown, maxBytes = MAX_BYTES) => checkAsk({ requestState }, maxBytes);

describe('an ask that is right', () => {
  it.each<[string, Json, string]>([
    ['a form', { method: 'elicitation/create', params: { message: 'm', requestedSchema: FORM } }, 'form'],
    [
      'a form that names its mode',
      { method: 'elicitation/create', params: { mode: 'form', message: 'm', requestedSchema: FORM, note: '' } },
      'form',
    ],
    [
      'a URL',
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://a.example/b' } },
      'url',
    ],
    [
      'a URL with an id',
      {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'm', url: 'http://localhost:8080/open', elicitationId: 'e' },
      },
      'url',
    ],
    [
      'sampling',
      { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: TEXT }], maxTokens: 1 } },
      'sampling',
    ],
    [
      'sampling with tools',
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } },
      'sampling.tools',
    ],
    [
      'sampling with a choice of tools',
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, toolChoice: {} } },
      'sampling.tools',
    ],
    ['roots', { method: 'roots/list', params: {} }, 'roots'],
  ])('may hold %s', (_name, request, kind) => {
    expect(checkRequest(request)).toStrictEqual({
      requests: [{ key: 'q', kind, method: request['method'], params: request['params'] }],
      state: undefined,
      sealed: undefined,
    });
  });

  it.each([undefined, null])('may leave out the params of roots/list: %s', (params) => {
    expect(checkRequest({ method: 'roots/list', params })).toStrictEqual({
      requests: [{ key: 'q', kind: 'roots', method: 'roots/list', params: {} }],
      state: undefined,
      sealed: undefined,
    });
  });

  it('has its questions in insertion order', () => {
    const inputRequests = { b: { method: 'roots/list' }, a: { method: 'roots/list' } };
    const checked = checkAsk({ inputRequests }, MAX_BYTES);
    expect('requests' in checked && checked.requests.map(({ key }) => key)).toStrictEqual(['b', 'a']);
  });

  it.each(HOSTILE_NAMES)('may have a question under the key %s', (key) => {
    const ask = JSON.parse(`{"inputRequests":{"${key}":{"method":"roots/list"}}}`);
    expect(checkAsk(ask, MAX_BYTES)).toStrictEqual({
      requests: [{ key, kind: 'roots', method: 'roots/list', params: {} }],
      state: undefined,
      sealed: undefined,
    });
  });
});

describe('a mistake in the ask itself', () => {
  it.each<[Json, string]>([
    [{}, 'an ask needs at least one entry in inputRequests, or a requestState'],
    [{ inputRequests: {} }, 'an ask needs at least one entry in inputRequests, or a requestState'],
    [
      { inputRequests: null, requestState: null },
      'an ask needs at least one entry in inputRequests, or a requestState',
    ],
    [{ inputRequests: [] }, 'inputRequests must be an object of embedded requests by key, got an array'],
    [{ inputRequests: 'q' }, 'inputRequests must be an object of embedded requests by key, got "q"'],
    [{ inputRequests: 0 }, 'inputRequests must be an object of embedded requests by key, got 0'],
  ])('is told: %j', (ask, mistake) => {
    expect(checkAsk(ask, MAX_BYTES)).toStrictEqual({ mistake });
  });

  it('is told where reading it throws an error', () => {
    const ask = {
      inputRequests: {
        q: {
          method: 'elicitation/create',
          get params(): never {
            throw new Error('boom');
          },
        },
      },
    };
    expect(checkAsk(ask, MAX_BYTES)).toStrictEqual({ mistake: 'the ask cannot be read: it threw' });
  });

  it('is told where reading it throws anything else', () => {
    const ask = {
      get inputRequests(): never {
        throw 'boom';
      },
    };
    expect(checkAsk(ask, MAX_BYTES)).toStrictEqual({ mistake: 'the ask cannot be read: it threw' });
  });

  it('is told for the first question that has one', () => {
    const inputRequests = { a: { method: 'roots/list' }, b: 1, c: 2 };
    expect(checkAsk({ inputRequests }, MAX_BYTES)).toStrictEqual({
      mistake: 'inputRequests["b"] must be an embedded request { method, params }, got 1',
    });
  });
});

describe('a mistake in an embedded request', () => {
  const KNOWN = 'elicitation/create, sampling/createMessage or roots/list';
  it.each<[unknown, string]>([
    [undefined, ' must be an embedded request { method, params }, got undefined'],
    [null, ' must be an embedded request { method, params }, got null'],
    ['roots/list', ' must be an embedded request { method, params }, got "roots/list"'],
    [[], ' must be an embedded request { method, params }, got an array'],
    [{}, `.method must be ${KNOWN}, got undefined`],
    [{ method: 'tools/call' }, `.method must be ${KNOWN}, got "tools/call"`],
    [{ method: 'Roots/List' }, `.method must be ${KNOWN}, got "Roots/List"`],
    [{ method: 'toString' }, `.method must be ${KNOWN}, got "toString"`],
    [{ method: ['roots/list'] }, `.method must be ${KNOWN}, got an array`],
    [{ method: 'roots/list', params: [] }, '.params must be an object, got an array'],
    [{ method: 'roots/list', params: 0 }, '.params must be an object, got 0'],
    [{ method: 'elicitation/create' }, '.params must be an object, got undefined'],
    [{ method: 'sampling/createMessage', params: null }, '.params must be an object, got undefined'],
    [
      { method: 'sampling/createMessage', params: {} },
      ' (sampling/createMessage): messages must be a list, got undefined',
    ],
  ])('is told, with its key: %j', (request, mistake) => {
    expect(checkRequest(request)).toStrictEqual({ mistake: `inputRequests["q"]${mistake}` });
  });

  it('names its key as JSON', () => {
    expect(checkAsk({ inputRequests: { 'a"b\n': 1 } }, MAX_BYTES)).toStrictEqual({
      mistake: 'inputRequests["a\\"b\\n"] must be an embedded request { method, params }, got 1',
    });
  });
});

describe('a mistake in an elicitation', () => {
  const url = (members: Json) => ({ mode: 'url', message: 'm', url: 'https://a.example', ...members });
  it.each<[unknown, string]>([
    [{}, 'message must be a text to show, got undefined'],
    [{ message: '', requestedSchema: FORM }, 'message must be a text to show, got ""'],
    [{ message: 1, requestedSchema: FORM }, 'message must be a text to show, got 1'],
    [{ message: 'm', requestedSchema: FORM, note: 1 }, 'note must be a string, got 1'],
    [{ message: 'm', requestedSchema: FORM, note: null }, 'note must be a string, got null'],
    [{ message: 'm', mode: 'page', requestedSchema: FORM }, 'mode must be "form" or "url", got "page"'],
    [{ message: 'm', mode: null, requestedSchema: FORM }, 'mode must be "form" or "url", got null'],
    [{ message: 'm' }, 'requestedSchema must be a zod object, form() or JSON Schema, got undefined'],
    [
      { message: 'm', requestedSchema: { type: 'object', properties: { f: { type: 'date' } } } },
      'field "f": type must be string, number, integer, boolean or array, got "date"',
    ],
    [url({ url: undefined }), 'url must be an absolute https URL'],
    [url({ url: '' }), 'url must be an absolute https URL'],
    [url({ url: '/relative' }), 'url must be an absolute https URL'],
    [url({ url: 'example.com/path' }), 'url must be an absolute https URL'],
    [url({ url: 'https:' }), 'url must be an absolute https URL'],
    [url({ url: 'https://a b' }), 'url must be an absolute https URL'],
    [url({ url: ' https://a.example' }), 'url must be an absolute https URL'],
    [url({ url: 'https://a.example\n' }), 'url must be an absolute https URL'],
    [url({ url: new URL('https://a.example') }), 'url must be an absolute https URL'],
    [url({ url: 'app:open' }), 'url must be an absolute https URL'],
    [url({ url: 'http://a.example' }), 'url must be https, unless it is on this machine (localhost, 127.x.x.x, [::1])'],
    [url({ url: 'https://ada:pw@a.example' }), 'url must not carry a user name or password'],
    [url({ elicitationId: '' }), 'elicitationId must be a non-empty string, got ""'],
    [url({ elicitationId: 7 }), 'elicitationId must be a non-empty string, got 7'],
    [url({ elicitationId: null }), 'elicitationId must be a non-empty string, got null'],
  ])('is told: %j', (params, problem) => {
    expect(checkElicit(params)).toStrictEqual({ mistake: `inputRequests["q"] (elicitation/create): ${problem}` });
  });
});

describe('params that cannot be sent', () => {
  const cycle: Json = {};
  cycle['self'] = cycle;
  const throwing = {
    toJSON: () => {
      throw new Error('boom');
    },
  };
  it.each<[string, unknown]>([
    ['a cycle', cycle],
    ['a bigint', 1n],
    ['what throws when it is read', throwing],
  ])('are a mistake that is told: %s', (_name, member) => {
    const mistake = 'inputRequests["q"].params must be JSON: it has a cycle, a bigint, or throws when read';
    const sampling = { messages: [], maxTokens: 1, metadata: { member } };
    expect(checkElicit({ message: 'm', requestedSchema: FORM, member })).toStrictEqual({ mistake });
    expect(checkElicit({ mode: 'url', message: 'm', url: 'https://a.example', member })).toStrictEqual({ mistake });
    expect(checkRequest({ method: 'roots/list', params: { member } })).toStrictEqual({ mistake });
    expect(checkRequest({ method: 'sampling/createMessage', params: sampling })).toStrictEqual({ mistake });
  });
});

describe('a mistake in the _meta of an embedded request', () => {
  // SDK v1 does not answer a request like this: the call would be held until its time is over.
  it.each([
    ['a _meta that is no object', 5],
    ['a progress token that is none', { progressToken: 1.5 }],
  ])('is told: %s', (_name, _meta) => {
    const mistake = 'inputRequests["q"].params._meta must be request metadata';
    const url = { mode: 'url', message: 'm', url: 'https://a.example', _meta };
    const sampling = { messages: [], maxTokens: 1, _meta };
    expect(checkElicit({ message: 'm', requestedSchema: FORM, _meta })).toStrictEqual({ mistake });
    expect(checkElicit(url)).toStrictEqual({ mistake });
    expect(checkRequest({ method: 'roots/list', params: { _meta } })).toStrictEqual({ mistake });
    expect(checkRequest({ method: 'sampling/createMessage', params: sampling })).toStrictEqual({ mistake });
  });
});

describe('checkAsk', () => {
  it('never throws, and says either a mistake or what was asked', () => {
    const method = fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list', 'other', undefined);
    const params = jsonWith([
      'message',
      'mode',
      'url',
      'requestedSchema',
      'properties',
      'type',
      'messages',
      'maxTokens',
    ]);
    const ask = fc.record(
      {
        inputRequests: fc.dictionary(fc.constantFrom('a', 'b', ...HOSTILE_NAMES), fc.record({ method, params })),
        requestState: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(ask, (given) => {
        const checked = checkAsk(given, MAX_BYTES);
        if ('mistake' in checked) expect(checked.mistake).toMatch(/\w/);
        else expect(checked.requests.map(({ key }) => key)).toStrictEqual(Object.keys(given.inputRequests ?? {}));
      }),
      { numRuns: 500 },
    );
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
  });

  it('takes time in proportion to the ask', () => {
    const inputRequests = wideObject(50_000, { method: 'roots/list' });
    expect(expectQuick(() => checkAsk({ inputRequests }, MAX_BYTES))).not.toHaveProperty('mistake');
    const long = { message: 'x'.repeat(1_000_000), mode: 'url', url: `https://a.example/${'x'.repeat(1_000_000)}` };
    expect(expectQuick(() => checkElicit(long))).not.toHaveProperty('mistake');
    expect(expectQuick(() => checkState(['x'.repeat(1_000_000)]))).toHaveProperty('mistake');
  });
});
