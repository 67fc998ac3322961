import { createRequestStateCodec, type RequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form, stateOnly } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { type Play, textOf } from '../support/play-server.ts';

const KEY = '0123456789abcdef0123456789abcdef';

/** A codec as a user would write one: it keeps the payloads, and gives out their numbers. */
class NumberingCodec implements RequestStateCodec {
  readonly payloads: unknown[] = [];
  readonly calls: Json[] = [];

  async mint(payload: unknown, call: object): Promise<string> {
    this.calls.push({ mint: call });
    await settle(1);
    return `n${this.payloads.push(payload) - 1}`;
  }

  async verify(state: unknown, call: object): Promise<unknown> {
    this.calls.push({ verify: call });
    await settle(1);
    const number = Number(String(state).slice(1));
    if (!(number in this.payloads)) throw new Error('unknown number: tell nobody');
    return this.payloads[number];
  }
}

/** Asks with a minted state, and tells it in the second run. */
const asking: Play = async (context) =>
  context.round === 0
    ? ask({ who: form() }, await context.mintRequestState({ step: 1 }))
    : JSON.stringify(context.requestState());

/** Verifying goes on until the test lets it. */
function pendingCodec() {
  const waiting: { resolve: (payload: unknown) => void; reject: (error: Error) => void }[] = [];
  const verify = () => new Promise<unknown>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, codec: { mint: () => 'sealed', verify } };
}

describe('[Q9e] an asynchronous codec of the user’s own', () => {
  it('seals and opens the states of handlers', async () => {
    const codec = new NumberingCodec();
    const session = await openPlay(asking, { options: { requestState: codec } });
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('{"step":1}');
    // Marked as a handler's, so that it cannot pass for the middleware's own.
    expect(codec.payloads).toStrictEqual([{ 'mcp-dual-era/value': { step: 1 } }]);
    await expectNothingLeft(session);
  });

  it('is told the call, and the same one both times', async () => {
    const codec = new NumberingCodec();
    const session = await openPlay(asking, { options: { requestState: codec } });
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    await session.peer.next();
    const call = { method: 'tools/call', params: { name: 'play', arguments: {} } };
    expect(codec.calls).toMatchObject([{ mint: call }, { verify: call }]);
  });

  it('is not called for a state that the handler gives as a value', async () => {
    const codec = new NumberingCodec();
    const session = await openPlay(
      (context) => (context.round === 0 ? ask({ who: form() }, { step: 1 }) : JSON.stringify(context.requestState())),
      { options: { requestState: codec } },
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('{"step":1}');
    expect(codec.calls).toStrictEqual([]);
  });

  it('that rejects makes a state a mistake of the server, and its reason stays out of the answer', async () => {
    const events: unknown[] = [];
    const session = await openPlay(() => ask({ who: form() }, 'n7'), {
      options: { requestState: new NumberingCodec(), onEvent: (event) => events.push(event) },
    });
    await session.run();
    const answer = await session.peer.next();
    expect(answer).toMatchObject({ error: { code: -32603 } });
    expect(events).toMatchObject([
      {
        type: 'error',
        message:
          'requestState is a string that the codec option did not open for this call: it was not minted for it, ' +
          'or the codec failed or did not answer within roundTimeout',
      },
    ]);
    expect(JSON.stringify([answer, events])).not.toContain('tell nobody');
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['throws nothing', () => Promise.reject()],
    ['gives a big integer', () => 1n],
    ['gives a function', () => () => 1],
    ['gives NaN', async () => Number.NaN],
  ])('whose verify %s makes a state a mistake of the server', async (_name, verify) => {
    const session = await openPlay(() => ask({ who: form() }, 's'), {
      options: { requestState: { mint: () => 's', verify } },
    });
    await session.run();
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
    expect(session.runs()).toBe(1);
    await expectNothingLeft(session);
  });

  it('is waited for as long as a round may take, and no longer', async () => {
    const session = await openPlay(() => ask({ who: form() }, 's'), {
      options: { requestState: { mint: () => 's', verify: () => new Promise(() => undefined) } },
    });
    await session.run();
    await session.clock.advance(599_999);
    expect(await session.peer.rest()).toEqual([]);
    await session.clock.advance(1);
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
    expect(session.clock.pending).toBe(0);
  });

  it('is no longer waited for when the call is cancelled', async () => {
    const session = await openPlay(() => ask({ who: form() }, 's'), {
      options: { requestState: { mint: () => 's', verify: () => new Promise(() => undefined) } },
    });
    const id = await session.run();
    await session.clock.advance(1);
    expect(session.clock.pending).toBe(1);
    await session.peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await session.clock.advance(1);
    expect(session.clock.pending).toBe(0);
    expect(await session.peer.rest()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['an object', { list: ['x'.repeat(70_000)] }],
    ['a text', 'x'.repeat(70_000)],
  ])('may not give more than 65 536 bytes: %s', async (_name, payload) => {
    const session = await openPlay(() => ask({ who: form() }, 's'), {
      options: { requestState: { mint: () => 's', verify: () => payload } },
    });
    await session.run();
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
  });

  it.each<[string, (codec: RequestStateCodec, verify: RequestStateCodec['verify']) => RequestStateCodec]>([
    ['a copy', (codec, verify) => ({ ...codec, verify })],
    ['an heir', (codec, verify) => Object.assign(Object.create(codec), { verify })],
    ['a wrapper', (codec, verify) => ({ mint: (payload, call) => codec.mint(payload, call), verify })],
  ])('that is made of one of ours is asked itself: %s with a verify of its own', async (_name, made) => {
    const ours = createRequestStateCodec({ keys: KEY });
    const refusing = made(ours, () => {
      throw new Error('revoked');
    });
    const session = await openPlay(asking, { options: { requestState: refusing } });
    await session.run();
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
  });

  it('has a mint that must be awaited: a promise in an ask is a mistake of the server', async () => {
    const session = await openPlay(
      (context) =>
        context.round === 0
          ? ask({ who: form() }, context.mintRequestState({ step: 1 }))
          : JSON.stringify(context.requestState()),
      { options: { requestState: new NumberingCodec() } },
    );
    await session.run();
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
  });

  it.each<[unknown, string]>([
    [undefined, 'null'],
    [null, 'null'],
    ['text', '"text"'],
    [0, '0'],
  ])('may give %j', async (payload, text) => {
    const session = await openPlay(
      (context) => (context.round === 0 ? stateOnly('s') : `${JSON.stringify(context.requestState())}`),
      { options: { requestState: { mint: () => 's', verify: async () => payload } } },
    );
    await session.run();
    await session.clock.advance(50);
    expect(textOf(await session.peer.next())).toBe(text);
  });
});

describe('[Q9f] a call that is cut off while its codec is pending', () => {
  it.each<[string, (waiting: ReturnType<typeof pendingCodec>['waiting'][number] | undefined) => void]>([
    ['opens', (waiting) => waiting?.resolve({ step: 1 })],
    ['refuses', (waiting) => waiting?.reject(new Error('unknown'))],
  ])('by its caller is not answered, nobody is asked, and no handler runs: the codec then %s', async (_name, end) => {
    const { waiting, codec } = pendingCodec();
    const events: Json[] = [];
    const session = await openPlay(() => ask({ who: form() }, 's'), {
      options: { requestState: codec, onEvent: (event) => events.push(event) },
    });
    const id = await session.run();
    await settle();
    expect(waiting).toHaveLength(1);
    await session.peer.cancel(id);
    await settle();
    end(waiting[0]);
    await settle();
    const ping = await session.peer.request('ping', {});
    expect(await session.peer.next()).toStrictEqual({ jsonrpc: '2.0', id: ping, result: {} });
    expect(session.runs()).toBe(1);
    expect(events.filter(({ type }) => type === 'error' || type === 'round-start')).toStrictEqual([]);
    expect(session.errors).toStrictEqual([]);
  });

  it('in the turn in which the codec opens it asks nobody', async () => {
    const { waiting, codec } = pendingCodec();
    const session = await openPlay(() => ask({ who: form() }, 's'), { options: { requestState: codec } });
    const id = await session.run();
    await settle();
    waiting[0]?.resolve({ step: 1 });
    await session.peer.cancel(id);
    await settle();
    await expectNothingLeft(session);
    expect(session.runs()).toBe(1);
  });

  it('has its id free again at once', async () => {
    const { waiting, codec } = pendingCodec();
    const session = await openPlay(
      (context) => (waiting.length === 0 ? ask({ who: form() }, 's') : `run ${context.round}`),
      {
        options: { requestState: codec },
      },
    );
    await session.run('tools/call', 'same');
    await settle();
    await session.peer.cancel('same');
    await session.run('tools/call', 'same');
    expect(textOf(await session.peer.next())).toBe('run 0');
    waiting[0]?.resolve(1);
    await expectNothingLeft(session);
  });

  it('by the end of the connection leaves nothing', async () => {
    const { waiting, codec } = pendingCodec();
    const session = await openPlay(() => ask({ who: form() }, 's'), { options: { requestState: codec } });
    await session.run();
    await settle();
    await session.close();
    waiting[0]?.resolve({ step: 1 });
    await settle();
    expect(session.runs()).toBe(1);
    expect(session.clock.pending).toBe(0);
    expect(session.peer.inbox.all.filter(({ id }) => id !== 0)).toStrictEqual([]);
  });

  it('before another call goes on does not touch that one', async () => {
    const { waiting, codec } = pendingCodec();
    const session = await openPlay((context) => (context.round === 0 ? ask({ who: form() }, 's') : 'done'), {
      options: { requestState: codec },
    });
    const first = await session.run();
    const second = await session.run();
    await settle();
    await session.peer.cancel(first);
    for (const { resolve } of waiting) resolve({ step: 1 });
    await session.peer.answer(await session.peer.next(), ADA);
    expect(await session.peer.next()).toMatchObject({ id: second });
    await expectNothingLeft(session);
  });
});

describe('[Q9g] maxBytes', () => {
  const roundTrip = async (payload: unknown, requestState: Json | RequestStateCodec): Promise<Json> => {
    const session = await openPlay(
      async (context) =>
        context.round === 0
          ? ask({ who: form() }, await context.mintRequestState(payload))
          : JSON.stringify({ bytes: JSON.stringify(context.requestState()).length }),
      { options: { requestState } },
    );
    await session.run();
    const first = await session.peer.next();
    if (first['method'] === undefined) return first;
    await session.peer.answer(first, ADA);
    return JSON.parse(textOf(await session.peer.next()));
  };

  it.each<[string, unknown]>([
    ['an object', { text: 'x'.repeat(69_989) }],
    ['a text', 'x'.repeat(69_998)],
  ])('may be above its default, and then a minted value may too: %s', async (_name, payload) => {
    expect(await roundTrip(payload, { maxBytes: 70_000 })).toStrictEqual({ bytes: 70_000 });
  });

  it.each<[string, unknown]>([
    ['an object', { text: 'x'.repeat(69_989) }],
    ['a text', 'x'.repeat(69_998)],
  ])('of a codec that is given as one holds for what it minted: %s', async (_name, payload) => {
    const codec = createRequestStateCodec({ keys: KEY, maxBytes: 70_000 });
    expect(await roundTrip(payload, codec)).toStrictEqual({ bytes: 70_000 });
  });

  it('is told to the handler that mints more', async () => {
    const answer = await roundTrip('x'.repeat(69_999), { maxBytes: 70_000 });
    expect(textOf(answer)).toContain('A requestState payload must have at most 70000 bytes as JSON, got 70001');
    expect(answer['result'].isError).toBe(true);
  });
});
