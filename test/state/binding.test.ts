import {
  createRequestStateCodec,
  defaultBinding,
  type RequestStateCodec,
  type RequestStateCodecOptions,
  type StateBinding,
  type StateCall,
} from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { deepObject } from '../core/quick.ts';
import type { Json } from '../support/json.ts';
import { CALL, causeOf, FORMS, KEY } from './sealing.ts';

const ADA = { clientId: 'app', extra: { iss: 'https://issuer.test', sub: 'ada' } };
const called = (members: Partial<StateCall>): StateCall => ({ ...CALL, ...members });
const withParams = (members: Json): StateCall => called({ params: { ...CALL.params, ...members } });
const codecWith = (options: Omit<RequestStateCodecOptions, 'singleUse'> = {}): RequestStateCodec =>
  createRequestStateCodec({ keys: KEY, ...options });
const opens = (codec: RequestStateCodec, minted: StateBinding, shown: StateBinding): boolean => {
  const state = codec.mint({ step: 1 }, minted);
  expect(codec.verify(state, minted)).toStrictEqual({ step: 1 });
  try {
    codec.verify(state, shown);
    return true;
  } catch (error) {
    expect((error as Error).cause).toBe('wrong-binding');
    return false;
  }
};

describe.each(FORMS)('[Q4a] a state, %s', (_form, encrypt) => {
  const codec = codecWith({ encrypt });

  it.each<[string, StateCall, StateCall]>([
    ['another target', CALL, withParams({ arguments: { target: 'production' } })],
    ['another tool [F38]', CALL, withParams({ name: 'destroy' })],
    ['a tool without a name', CALL, called({ params: { arguments: { target: 'staging' } } })],
    ['another method of the same target', CALL, called({ method: 'prompts/get' })],
    ['a method that cannot ask', CALL, called({ method: 'completion/complete' })],
    ['one more argument [F38]', CALL, withParams({ arguments: { target: 'staging', force: true } })],
    ['one argument less', withParams({ arguments: { target: 'staging', force: true } }), CALL],
    ['no arguments', CALL, called({ params: { name: 'deploy' } })],
    ['an argument of another type', withParams({ arguments: { count: 1 } }), withParams({ arguments: { count: '1' } })],
    ['null in place of nothing', withParams({ arguments: {} }), withParams({ arguments: { count: null } })],
    ['the entries of a list in another order', withParams({ arguments: [1, 2] }), withParams({ arguments: [2, 1] })],
    ['a list in place of an object', withParams({ arguments: {} }), withParams({ arguments: [] })],
    ['a parameter of no known name', CALL, withParams({ region: 'eu' })],
    ['a member _meta inside the arguments', CALL, withParams({ arguments: { target: 'staging', _meta: {} } })],
    [
      'a member task inside the arguments',
      withParams({ arguments: { task: 1 } }),
      withParams({ arguments: { task: 2 } }),
    ],
    [
      'a member requestState inside the arguments',
      withParams({ arguments: { requestState: 'a' } }),
      withParams({ arguments: { requestState: 'b' } }),
    ],
    [
      'another resource',
      { method: 'resources/read', params: { uri: 'file:///a' } },
      { method: 'resources/read', params: { uri: 'file:///b' } },
    ],
    [
      'another prompt',
      { method: 'prompts/get', params: { name: 'a' } },
      { method: 'prompts/get', params: { name: 'b' } },
    ],
    [
      'a text that another split of method and target would give',
      { method: 'tools/call', params: { name: 'a"b' } },
      { method: 'tools/call', params: { name: 'a', arguments: { b: 1 } } },
    ],
    [
      'another subject [F38]',
      called({ authInfo: ADA }),
      called({ authInfo: { ...ADA, extra: { ...ADA.extra, sub: 'ben' } } }),
    ],
    [
      'the same subject of another issuer',
      called({ authInfo: ADA }),
      called({ authInfo: { ...ADA, extra: { ...ADA.extra, iss: 'https://other.test' } } }),
    ],
    ['another client id', called({ authInfo: ADA }), called({ authInfo: { ...ADA, clientId: 'web' } })],
    ['no subject', called({ authInfo: ADA }), called({ authInfo: { clientId: 'app' } })],
    ['nobody', called({ authInfo: ADA }), CALL],
    ['somebody in place of nobody', CALL, called({ authInfo: ADA })],
    ['a client called anonymous in place of nobody', CALL, called({ authInfo: { clientId: 'anonymous' } })],
    [
      'a client id that is the other one’s subject',
      called({ authInfo: { clientId: 'ada' } }),
      called({ authInfo: { clientId: 'app', extra: { sub: 'ada' } } }),
    ],
    [
      'a subject that is inherited',
      called({ authInfo: ADA }),
      called({ authInfo: { clientId: 'app', extra: Object.create(ADA.extra) } }),
    ],
  ])('does not resume %s', (_name, minted, shown) => {
    expect(opens(codec, minted, shown)).toBe(false);
  });

  it.each<[string, StateCall, StateCall]>([
    [
      'the members of the arguments in another order',
      withParams({ arguments: { a: 1, b: { c: 1, d: 2 } } }),
      withParams({ arguments: { b: { d: 2, c: 1 }, a: 1 } }),
    ],
    ['another _meta', withParams({ _meta: { progressToken: 1 } }), withParams({ _meta: { progressToken: 2 } })],
    ['no _meta', withParams({ _meta: { progressToken: 1 } }), CALL],
    ['answers', CALL, withParams({ inputResponses: { q: { action: 'decline' } } })],
    ['a requestState', CALL, withParams({ requestState: 'v1.x' })],
    ['another task', withParams({ task: { ttl: 1 } }), withParams({ task: { ttl: 2 } })],
    ['absent arguments in place of none', withParams({ arguments: {} }), called({ params: { name: 'deploy' } })],
    ['undefined arguments in place of none', withParams({ arguments: {} }), withParams({ arguments: undefined })],
    ['a member that is undefined', CALL, withParams({ region: undefined })],
    ['another session', called({ sessionId: 'a' }), called({ sessionId: 'b' })],
    ['another request', called({ requestInfo: { headers: { a: '1' } } }), called({ requestInfo: undefined })],
    ['no params in place of empty ones', { method: 'x' }, { method: 'x', params: {} }],
    [
      'a token with other scopes of the same subject',
      called({ authInfo: { ...ADA, scopes: ['a'], token: 't' } as never }),
      called({ authInfo: { ...ADA, scopes: ['b'], token: 'u' } as never }),
    ],
  ])('resumes its call with %s', (_name, minted, shown) => {
    expect(opens(codec, minted, shown)).toBe(true);
  });

  it('does not resume a call whose parameters are nested deeper than 512 levels', () => {
    const deep = withParams({ arguments: deepObject(600) });
    const state = codec.mint(1, CALL);
    expect(causeOf(() => codec.verify(state, deep))).toBe('wrong-binding');
    expect(() => codec.mint(1, deep)).toThrow(RangeError);
  });

  it('leaves the params that it is shown as they are', () => {
    const params = { name: 'deploy', _meta: { a: 1 }, inputResponses: {}, requestState: 'x', task: {} };
    codec.verify(codec.mint(1, { method: 'tools/call', params }), { method: 'tools/call', params });
    expect(params).toStrictEqual({ name: 'deploy', _meta: { a: 1 }, inputResponses: {}, requestState: 'x', task: {} });
  });
});

describe('[Q4b] an explicit binding', () => {
  const codec = codecWith();

  it('opens for the same text', () => {
    expect(opens(codec, { binding: 'order 7' }, { binding: 'order 7' })).toBe(true);
  });

  it('does not open for another text', () => {
    expect(opens(codec, { binding: 'order 7' }, { binding: 'order 8' })).toBe(false);
  });

  it('does not open for a call whose default binding is the same text', () => {
    const binding = defaultBinding(CALL);
    expect(opens(codec, { binding }, CALL)).toBe(false);
    expect(opens(codec, CALL, { binding })).toBe(false);
  });

  it('does not open for a call whose own bind gives the same text', () => {
    const bound = codecWith({ bind: () => 'same' });
    expect(opens(bound, { binding: 'same' }, CALL)).toBe(false);
    expect(opens(bound, CALL, { binding: 'same' })).toBe(false);
  });

  it.each([[undefined], [null], [7], [['a']], [{}]])(
    'that is no text denies in verify and throws in mint: %j',
    (binding) => {
      const state = codec.mint(1, CALL);
      const wrong = { binding } as never;
      expect(causeOf(() => codec.verify(state, wrong))).toBe('wrong-binding');
      expect(() => codec.mint(1, wrong)).toThrow(TypeError);
    },
  );

  it.each([[undefined], [null], ['tools/call'], [7]])(
    'or call is needed: %j denies in verify and throws in mint',
    (call) => {
      const state = codec.mint(1, CALL);
      expect(causeOf(() => codec.verify(state, call as never))).toBe('wrong-binding');
      expect(() => codec.mint(1, call as never)).toThrow(TypeError);
    },
  );
});

describe('[Q4c] a bind or subject option', () => {
  const throwing = (): never => {
    throw new Error('no directory');
  };

  it.each<[string, () => unknown]>([
    ['throws', throwing],
    ['returns nothing', () => undefined],
    ['returns null', () => null],
    ['returns a number', () => 7],
    ['returns an object', () => ({})],
    ['returns a promise', async () => 'ada'],
    ['returns a promise that rejects', async () => throwing()],
  ])('bind that %s denies in verify and throws in mint', (_name, bind) => {
    const state = codecWith().mint(1, CALL);
    const codec = codecWith({ bind: bind as never });
    expect(causeOf(() => codec.verify(state, CALL))).toBe('wrong-binding');
    expect(() => codec.mint(1, CALL)).toThrow(Error);
  });

  it.each<[string, () => unknown]>([
    ['throws', throwing],
    ['returns null', () => null],
    ['returns a number', () => 7],
    ['returns a promise', async () => 'ada'],
    ['returns a promise that rejects', async () => throwing()],
  ])('subject that %s denies in verify and throws in mint, and is never taken for nobody', (_name, subject) => {
    const codec = codecWith({ subject: subject as never });
    const call = called({ authInfo: ADA });
    for (const minted of [call, CALL, called({ authInfo: { clientId: 'app' } })]) {
      const state = codecWith().mint(1, minted);
      expect(causeOf(() => codec.verify(state, call))).toBe('wrong-binding');
    }
    expect(() => codec.mint(1, call)).toThrow(Error);
  });

  it('that throws passes its own error on in mint', () => {
    expect(() => codecWith({ bind: throwing }).mint(1, CALL)).toThrow(new Error('no directory'));
    const codec = codecWith({ subject: throwing });
    expect(() => codec.mint(1, called({ authInfo: ADA }))).toThrow(new Error('no directory'));
  });

  it('subject tells two callers apart, and finds one again', () => {
    const codec = codecWith({ subject: ({ extra }) => extra?.['tenant'] as string });
    const tenant = (name: string, sub: string) =>
      called({ authInfo: { clientId: 'app', extra: { tenant: name, sub } } });
    expect(opens(codec, tenant('a', 'ada'), tenant('b', 'ada'))).toBe(false);
    expect(opens(codec, tenant('a', 'ada'), tenant('a', 'ben'))).toBe(true);
  });

  it('subject that gives undefined leaves the client id', () => {
    const codec = codecWith({ subject: () => undefined });
    const auth = (clientId: string, sub: string) => called({ authInfo: { clientId, extra: { sub } } });
    expect(opens(codec, auth('app', 'ada'), auth('app', 'ben'))).toBe(true);
    expect(opens(codec, auth('app', 'ada'), auth('web', 'ada'))).toBe(false);
    expect(opens(codec, auth('app', 'ada'), CALL)).toBe(false);
  });

  it('bind can extend the default binding', () => {
    const codec = codecWith({ bind: (call) => `${call.sessionId} ${defaultBinding(call)}` });
    expect(opens(codec, called({ sessionId: 'a' }), called({ sessionId: 'a' }))).toBe(true);
    expect(opens(codec, called({ sessionId: 'a' }), called({ sessionId: 'b' }))).toBe(false);
    expect(opens(codec, called({ sessionId: 'a' }), { ...withParams({ name: 'destroy' }), sessionId: 'a' })).toBe(
      false,
    );
  });

  it('bind takes the place of the default binding', () => {
    const codec = codecWith({ bind: ({ method }) => method });
    expect(opens(codec, CALL, withParams({ name: 'destroy' }))).toBe(true);
    expect(opens(codec, CALL, called({ method: 'prompts/get' }))).toBe(false);
  });
});

describe('[Q4f] an audience', () => {
  it.each<[string | undefined, string | undefined]>([
    ['billing', 'shipping'],
    ['billing', undefined],
    [undefined, 'billing'],
    ['', undefined],
    ['a', 'a '],
  ])('keeps apart services that share a key: %j and %j', (minted, shown) => {
    const state = codecWith({ audience: minted }).mint(1, CALL);
    expect(codecWith({ audience: minted }).verify(state, CALL)).toBe(1);
    expect(causeOf(() => codecWith({ audience: shown }).verify(state, CALL))).toBe('wrong-binding');
  });

  it('keeps explicit bindings apart too', () => {
    const state = codecWith({ audience: 'a' }).mint(1, { binding: 'x' });
    expect(causeOf(() => codecWith({ audience: 'b' }).verify(state, { binding: 'x' }))).toBe('wrong-binding');
  });

  it('does not run into the binding', () => {
    const state = codecWith({ audience: 'a' }).mint(1, { binding: 'bc' });
    expect(causeOf(() => codecWith({ audience: 'ab' }).verify(state, { binding: 'c' }))).toBe('wrong-binding');
  });
});

describe('[Q4d] defaultBinding', () => {
  it('is the caller, the method, the target, and the digest of every parameter', () => {
    // sha256 of {"arguments":{"target":"staging"},"name":"deploy"}
    const digest = 'j2nijYiZayH6sppUbABrPyZxJ1xq-cHK_sZgigp9uLo';
    expect(JSON.parse(defaultBinding(CALL))).toStrictEqual(['anonymous', 'tools/call', 'deploy', digest]);
    expect(JSON.parse(defaultBinding(called({ authInfo: ADA })))).toStrictEqual([
      '["app","[\\"https://issuer.test\\",\\"ada\\"]"]',
      'tools/call',
      'deploy',
      digest,
    ]);
  });

  it('has the URI of a resource as its target, and none for other methods', () => {
    const target = (call: StateCall) => JSON.parse(defaultBinding(call))[2];
    expect(target({ method: 'resources/read', params: { uri: 'file:///a' } })).toBe('file:///a');
    expect(target({ method: 'prompts/get', params: { name: 'greet' } })).toBe('greet');
    expect(target({ method: 'completion/complete', params: { name: 'x' } })).toBe('');
  });

  it('takes a subject function of its own', () => {
    const binding = defaultBinding(called({ authInfo: ADA }), () => 'somebody');
    expect(JSON.parse(binding)[0]).toBe('["app","somebody"]');
  });

  it.each<[string, unknown]>([
    ['a big integer', { count: 1n }],
    ['NaN', { count: Number.NaN }],
    ['a function', { run: () => 1 }],
  ])('is a TypeError for parameters that are no JSON: %s', (_name, args) => {
    expect(() => defaultBinding(withParams({ arguments: args }))).toThrow(TypeError);
  });
});
