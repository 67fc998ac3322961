import { formatDifferences, raw, runOnBothEras, type Script, type TestFactory } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import {
  ADA,
  ALL_CAPABILITIES,
  ask,
  form,
  ROOTS,
  roots,
  SAMPLED,
  sampling,
  stateOnly,
  told,
  url,
} from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import type { Peer } from '../support/peer.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';
import type { SdkName } from '../support/sdk.ts';
import { modern, retryOf } from './modern-message.ts';
import { type ModernClient, openModernSession, serveModern } from './modern-session.ts';

type Answers = Readonly<Record<string, Json>>;

/** A handler, as the script that it plays, and the person's answers by key. */
const HANDLERS: readonly (readonly [string, readonly unknown[], Answers])[] = [
  ['asks nothing', [], {}],
  ['gets a form', [ask({ q: form() })], { q: ADA }],
  [
    'gets a form with empty content',
    [ask({ q: form('Any?', { type: 'object', properties: {} }) })],
    { q: { action: 'accept', content: {} } },
  ],
  ['is declined', [ask({ q: form() })], { q: { action: 'decline' } }],
  ['is declined with content', [ask({ q: form() })], { q: { action: 'decline', content: { name: 'Ada' } } }],
  ['is cancelled', [ask({ q: form() })], { q: { action: 'cancel' } }],
  ['is cancelled with null content', [ask({ q: form() })], { q: { action: 'cancel', content: null } }],
  ['has a page opened', [ask({ q: url() })], { q: { action: 'accept' } }],
  ['has a page declined', [ask({ q: url() })], { q: { action: 'decline' } }],
  ['gets a sampled text', [ask({ q: sampling() })], { q: SAMPLED }],
  ['gets roots', [ask({ q: roots() })], { q: ROOTS }],
  ['gets no roots', [ask({ q: roots() })], { q: { roots: [] } }],
  ['gets no result at all', [ask({ q: form() })], { q: {} }],
  ['gets an action that is none', [ask({ q: form() })], { q: { action: 'yes', content: { name: 'Ada' } } }],
  [
    'asks four kinds at once',
    [ask({ d: roots(), c: sampling(), b: url(), a: form() })],
    { a: ADA, b: { action: 'accept' }, c: SAMPLED, d: ROOTS },
  ],
  ['gets back its state', [ask({ q: form() }, { step: [1, 'two', null, { three: false }] })], { q: ADA }],
  ['gets back a state that is false', [ask({ q: form() }, false)], { q: ADA }],
  ['gets back a state that is 0', [ask({ q: form() }, 0)], { q: ADA }],
  ['asks nothing but to come back', [stateOnly({ page: 2 })], {}],
  [
    'asks three times, with a state',
    [ask({ a: form('A?') }, 1), ask({ b: url() }, 2), ask({ c: roots() }, 3)],
    { a: ADA, b: { action: 'decline' }, c: ROOTS },
  ],
  ['comes back twice, then asks', [stateOnly(1), stateOnly(2), ask({ q: form() }, 3)], { q: ADA }],
  [
    'asks under hostile keys',
    [ask(JSON.parse('{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}'))],
    JSON.parse('{"__proto__":{"roots":[]},"constructor":{"roots":[]}}'),
  ],
];

async function playModern({ tell }: ModernClient, first: Json, answers: Answers): Promise<Json> {
  let request = first;
  for (;;) {
    const { answer } = await tell(request);
    if (answer['result']?.resultType !== 'input_required') return answer;
    const keys = Object.keys(answer['result'].inputRequests ?? {});
    const given = Object.fromEntries(keys.map((key) => [key, answers[key] as Json]));
    request = retryOf(request, answer, keys.length === 0 ? undefined : given);
  }
}

async function playHandshake(peer: Peer, { method, params }: Json, keyOf: (leg: Json) => string, answers: Answers) {
  await peer.request(method, params);
  for (;;) {
    const received = await peer.next();
    if (!('method' in received)) return received;
    await peer.answer(received, answers[keyOf(received)]);
  }
}

/** The key of the question that the handler asked with such a request. */
function keyIn(script: readonly unknown[], { method, params }: Json): string {
  for (const round of script as Json[]) {
    for (const [key, asked] of Object.entries((round['inputRequests'] ?? {}) as Json)) {
      if (asked.method === method && asked.params?.message === params?.message) return key;
    }
  }
  throw new Error(`Nothing of the script asks ${method}`);
}

describe.each(['newest', 'oldest'] as const)('[M2b] one handler, asked by both eras (%s SDK v1)', (sdk: SdkName) => {
  const requestState = { keys: ['0123456789abcdef0123456789abcdef'] };
  const factory: TestFactory = ({ ports }) =>
    createScriptServer({ sdk, options: { ports, requestState } }, { event: () => undefined, run: () => undefined });
  const play = async (method: string, script: readonly unknown[], answers: Answers) => {
    const request = { method, params: scriptParams(method, script) } as Script['request'];
    const said = Object.entries(answers).map(([key, answer]) => [key, raw(answer)] as const);
    const { modern, differences, unused } = await runOnBothEras(factory, {
      request,
      answers: Object.fromEntries(said),
    });
    expect([formatDifferences(differences), unused]).toEqual([formatDifferences([]), []]);
    // What the handler read is in it as text.
    return told(modern);
  };

  for (const method of METHODS) {
    it.each(HANDLERS)(`reads the same and answers the same when ${method} %s`, async (_name, script, answers) => {
      expect((await play(method, script, answers))['round']).toBe(script.length);
    });
  }

  // Of what only the question can tell, a retry says nothing: that is what the schema of accepted() is for.
  it('reads accepted content that is missing the same', async () => {
    const { views } = await play('tools/call', [ask({ q: form() })], { q: { action: 'accept' } });
    expect(views.q.kind).toBe('elicit');
  });
});

/** A client of each era, of one URL or each of a pipe of its own. */
async function openBoth(transport: 'http' | 'stdio') {
  if (transport === 'stdio') {
    const first = await openModernSession('stdio', { factory: 'script' });
    const second = await openModernSession('stdio', { factory: 'script' });
    return { modernClient: first, handshake: second.peer, close: () => Promise.all([first.close(), second.close()]) };
  }
  const served = await serveModern({ factory: 'script' });
  return { modernClient: served, handshake: served.connect().peer, close: () => served.close() };
}

describe.each(['http', 'stdio'] as const)('[M2b] one handler, asked by both eras over %s', (transport) => {
  it('reads the same and answers the same', async () => {
    const { modernClient, handshake, close } = await openBoth(transport);
    const script = [ask({ a: form('A?') }, 1), ask({ b: url(), c: sampling() }, { two: 2 })];
    const answers = { a: ADA, b: { action: 'accept' }, c: SAMPLED };
    const params = scriptParams('tools/call', script);
    await handshake.handshake({ capabilities: ALL_CAPABILITIES });
    const first = modern('tools/call', params, { capabilities: ALL_CAPABILITIES });
    const inNew = await playModern(modernClient, first, answers);
    const keyOf = (leg: Json) => keyIn(script, leg);
    const inOld = await playHandshake(handshake, { method: 'tools/call', params }, keyOf, answers);
    await close();
    expect(told(inNew)).toStrictEqual(told(inOld));
    expect(told(inNew)).toMatchObject({
      round: 2,
      responses: { b: { action: 'accept' }, c: SAMPLED },
      state: { two: 2 },
    });
  });
});
