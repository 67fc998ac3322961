import { afterEach, describe, expect, it } from 'vitest';
import { ask, form, roots, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const isQuestion = (message: object): boolean => 'method' in message && 'id' in message;

describe('a question that cannot be put into JSON', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  const cyclic: Json = {};
  cyclic['self'] = cyclic;
  const withMetadata = (metadata: unknown): Json => {
    const request = sampling();
    request['params'].metadata = metadata;
    return request;
  };

  it.each([
    ['a BigInt', { n: 1n }],
    ['a cycle', cyclic],
    ['a toJSON that throws', { toJSON: () => JSON.parse('{') }],
  ])('[H2b] is a mistake of the server (-32603), and nothing of its round is sent: %s', async (_, metadata) => {
    session = await openPlay(() => ask({ first: roots(), sum: withMetadata(metadata) }), {
      options: { legs: 'concurrent' },
    });
    const { far, peer, run } = session;
    // As every transport does that has a wire; the in-memory one passes objects on.
    const send = far.send.bind(far);
    far.send = async (message, options) => send(JSON.parse(JSON.stringify(message)), options);
    const id = await run();
    await settle();
    const messages = await peer.rest(0);
    expect(messages).toMatchObject([{ id, error: { code: -32603 } }]);
    await expectNothingLeft(session);
  });
});

describe('a question with a member of the other mode that cannot be put into JSON', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  it.each([
    ['form', { ...form(), params: { ...form()['params'], elicitationId: 1n } }],
    ['page', { ...url(), params: { ...url()['params'], requestedSchema: { n: 1n } } }],
  ])('[H2b] is a mistake of the server, and nothing of its round is sent: a %s', async (_, question) => {
    session = await openPlay(() => ask({ first: roots(), q: question as Json }), { options: { legs: 'concurrent' } });
    const { far, peer, run } = session;
    const send = far.send.bind(far);
    far.send = async (message, options) => send(JSON.parse(JSON.stringify(message)), options);
    const id = await run();
    await settle();
    expect(await peer.rest(0)).toMatchObject([{ id, error: { code: -32603 } }]);
    await expectNothingLeft(session);
  });
});

describe('a transport that cannot send a question', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  it.each([
    ['rejects', () => Promise.reject(new Error('gone'))],
    [
      'throws at once',
      () => {
        throw new Error('gone');
      },
    ],
  ])('and %s: the call ends, and nothing is left of it', async (_, fail) => {
    let isFailing = true;
    session = await openPlay((context) => (isFailing && context.round === 0 ? ask({ a: form(), b: form() }) : 'fine'));
    const { far, peer, run, events, clock } = session;
    const send = far.send.bind(far);
    far.send = (message, options) => (isQuestion(message) ? fail() : send(message, options));
    await peer.request('tools/call', { name: 'play', arguments: {}, _meta: { progressToken: 1 } }, 7);
    await settle();
    const messages = await peer.rest(0);
    expect(clock.pending).toBe(0);
    const answer = messages.at(-1);
    expect(answer).toMatchObject({ id: 7, result: { isError: true } });
    expect(answer?.['result']._meta['mcp-dual-era/outcome'].reason).toBe('no-channel');
    expect(events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'no-channel' });
    await expectNothingLeft(session);
    isFailing = false;
    await run('tools/call', 7);
    expect(textOf(await peer.next())).toBe('fine');
  });
});
