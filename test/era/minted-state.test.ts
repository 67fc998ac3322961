import { createRequestStateCodec, inputContext } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form, stateOnly } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { createPlayServer, PLAY_PARAMS, type Play, textOf } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const STATE = /^v1\.[A-Za-z0-9_-]+$/;

/** Asks with what `mint` gives in the first run, and tells the state of the second. */
const asking =
  (mint: Play): Play =>
  async (context, extra) =>
    context.round === 0
      ? ask({ who: form() }, await mint(context, extra))
      : JSON.stringify({ state: context.requestState() ?? null, answer: context.accepted('who') });

describe('[Q9a] a state that mintRequestState sealed', () => {
  it.each(METHODS.flatMap((method) => [[method, 'newest'] as const, [method, 'oldest'] as const]))(
    'comes back through requestState(): %s, %s SDK v1',
    async (method, sdk) => {
      const session = await openPlay(
        asking((context) => context.mintRequestState({ step: 1 })),
        { sdk },
      );
      await session.run(method);
      await session.peer.answer(await session.peer.next(), ADA);
      expect(JSON.parse(textOf(await session.peer.next()))).toStrictEqual({
        state: { step: 1 },
        answer: { name: 'Ada' },
      });
      await expectNothingLeft(session);
    },
  );

  it('is the text of an envelope', async () => {
    let state: unknown;
    const session = await openPlay((context) => {
      state = context.mintRequestState({ step: 1 });
      return 'done';
    });
    await session.run();
    await session.peer.next();
    expect(state).toMatch(STATE);
  });

  it('can be sealed in a re-run too, and takes the place of the one before', async () => {
    const session = await openPlay((context) => {
      const steps = context.requestState<number[]>() ?? [];
      if (context.round < 3)
        return ask({ who: form(`Step ${context.round}?`) }, context.mintRequestState([...steps, context.round]));
      return JSON.stringify(steps);
    });
    await session.run();
    for (let round = 0; round < 3; round += 1) await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('[0,1,2]');
    await expectNothingLeft(session);
  });

  it('holds for one round: an ask without one leaves none', async () => {
    const session = await openPlay((context) => {
      if (context.round === 0) return ask({ who: form('First?') }, context.mintRequestState(1));
      if (context.round === 1) return ask({ who: form('Second?') });
      return JSON.stringify({ state: context.requestState() ?? null });
    });
    await session.run();
    for (let round = 0; round < 2; round += 1) await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('{"state":null}');
  });

  it('may be alone in an ask', async () => {
    const session = await openPlay((context) =>
      context.round < 2
        ? stateOnly(context.mintRequestState({ page: context.round }))
        : JSON.stringify(context.requestState()),
    );
    await session.run();
    await session.clock.advance(150);
    expect(textOf(await session.peer.next())).toBe('{"page":1}');
    await expectNothingLeft(session);
  });

  it.each<[unknown]>([['step 1'], [''], [0], [false], [[]], [{}], [['a', null]], [{ nested: { a: [1] } }]])(
    'may hold %j',
    async (payload) => {
      const session = await openPlay((context) => {
        if (context.round === 0) return ask({ who: form() }, context.mintRequestState(payload));
        return JSON.stringify({ state: context.requestState() });
      });
      await session.run();
      await session.peer.answer(await session.peer.next(), ADA);
      expect(JSON.parse(textOf(await session.peer.next()))).toStrictEqual({ state: payload });
    },
  );

  it('never leaves the process', async () => {
    const session = await openPlay(asking((context) => context.mintRequestState({ step: 'tell nobody' })));
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    await session.peer.next();
    const sent = JSON.stringify(session.peer.inbox.all.slice(0, -1));
    expect(sent).not.toContain('v1.');
    expect(sent).not.toContain('tell nobody');
    expect(JSON.stringify(session.peer.inbox.all.at(-1))).not.toContain('requestState');
  });

  it('can be one that the codec of the options sealed', async () => {
    const codec = createRequestStateCodec({ keys: KEY });
    const call = { method: 'tools/call', params: PLAY_PARAMS['tools/call'] as Json };
    const session = await openPlay(
      asking(() => codec.mint({ step: 1 }, call)),
      { options: { requestState: { keys: KEY } } },
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(JSON.parse(textOf(await session.peer.next()))).toMatchObject({ state: { step: 1 } });
  });

  it('is not used up: singleUse is for what a client sends back', async () => {
    const used: string[] = [];
    const singleUse = { consume: async (id: string) => used.push(id) > 0 };
    const session = await openPlay(
      asking((context) => context.mintRequestState({ step: 1 })),
      {
        options: { requestState: { keys: KEY, singleUse } },
      },
    );
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(JSON.parse(textOf(await session.peer.next()))).toMatchObject({ state: { step: 1 } });
    expect(used).toStrictEqual([]);
  });

  it('does not expire while the person thinks', async () => {
    const time = { now: 1_785_196_800_000 };
    const session = await openPlay(
      asking((context) => context.mintRequestState({ step: 1 })),
      {
        options: { requestState: { ttlSeconds: 1, ports: { now: () => time.now } } },
      },
    );
    await session.run();
    const leg = await session.peer.next();
    time.now += 599_000;
    await session.peer.answer(leg, ADA);
    expect(JSON.parse(textOf(await session.peer.next()))).toMatchObject({ state: { step: 1 } });
  });

  it('is bound to its caller over HTTP, and opens for it', async () => {
    const served = await serveFactory(() =>
      createPlayServer(asking((context) => context.mintRequestState({ step: 1 }))),
    );
    try {
      const { peer } = served.connect();
      await peer.handshake({ capabilities: { elicitation: {} } });
      const ada = { 'x-test-caller': 'app/ada' };
      await peer.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: PLAY_PARAMS['tools/call'] }, ada);
      await peer.answer(await peer.next(), ADA, ada);
      expect(JSON.parse(textOf(await peer.next()))).toStrictEqual({ state: { step: 1 }, answer: { name: 'Ada' } });
    } finally {
      await served.close();
    }
  });

  it('is refused by mint itself where it is no JSON, or too large', async () => {
    const errors: unknown[] = [];
    const session = await openPlay(
      (context) => {
        for (const payload of [undefined, 1n, 'x'.repeat(99)]) {
          try {
            errors.push(context.mintRequestState(payload));
          } catch (error) {
            errors.push(String(error));
          }
        }
        return context.mintRequestState('x'.repeat(98));
      },
      { options: { requestState: { maxBytes: 100 } } },
    );
    await session.run();
    expect(textOf(await session.peer.next())).toMatch(STATE);
    expect(errors).toStrictEqual([
      'TypeError: A requestState payload must be a JSON value, got undefined',
      'TypeError: Do not know how to serialize a BigInt',
      'RangeError: A requestState payload must have at most 100 bytes as JSON, got 101',
    ]);
  });
});

describe('[Q9b] [H2h] a text that was not minted for the call', () => {
  const MISTAKE =
    'requestState is a string that was not minted for this call: return what inputContext(extra).mintRequestState gave, ' +
    'or the value itself';
  const call = { method: 'tools/call', params: PLAY_PARAMS['tools/call'] as Json };
  const sealed = createRequestStateCodec({ keys: KEY }).mint({ step: 1 }, call);

  it.each<[string, string]>([
    ['no state', 'step 1'],
    ['an empty text', ''],
    ['JSON', '{"step":1}'],
    ['a state with a line end', `${sealed}\n`],
    ['a state that was changed', `${sealed.slice(0, -3)}AAA`],
    ['a state of another codec', createRequestStateCodec({ keys: 'x'.repeat(32) }).mint({ step: 1 }, call)],
    ['a state of no key', createRequestStateCodec().mint({ step: 1 }, call)],
    ['a state of another tool', createRequestStateCodec({ keys: KEY }).mint(1, { ...call, params: { name: 'other' } })],
    [
      'a state of other arguments',
      createRequestStateCodec({ keys: KEY }).mint(1, { ...call, params: { name: 'play', arguments: { a: 1 } } }),
    ],
    ['a state of a binding', createRequestStateCodec({ keys: KEY }).mint(1, { binding: 'x' })],
    [
      'a state that has expired',
      createRequestStateCodec({ keys: KEY, ports: { now: () => Date.now() - 600_001 } }).mint(1, call),
    ],
  ])('is a mistake of the server: %s', async (_name, state) => {
    const session = await openPlay(() => ask({ who: form() }, state), { options: { requestState: { keys: KEY } } });
    const id = await session.run();
    expect(await session.peer.next()).toStrictEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: `tools/call cannot ask: ${MISTAKE}` },
    });
    expect(session.runs()).toBe(1);
    await expectNothingLeft(session);
  });

  it.each(METHODS)('is -32603 and an error event, and nobody is asked: %s', async (method) => {
    const events: Json[] = [];
    const session = await openPlay(() => ask({ who: form() }, 'step 1'), {
      options: { onEvent: (event) => events.push(event) },
    });
    const id = await session.run(method);
    const target = method === 'resources/read' ? 'play://once' : 'play';
    expect(await session.peer.next()).toMatchObject({ id, error: { code: -32603 } });
    expect(events).toStrictEqual([{ type: 'error', message: MISTAKE, method, target }]);
    expect(session.runs()).toBe(1);
  });

  it('is one that an earlier call with other arguments was given', async () => {
    const states: string[] = [];
    const server = createPlayServer(
      async (context) => {
        states.push(await context.mintRequestState({ step: 1 }));
        return states.length === 1 ? 'kept' : ask({ who: form() }, states[0]);
      },
      { isLowLevel: true },
    );
    const { peer, close } = await connectMemory(server);
    await peer.handshake({ capabilities: { elicitation: {} } });
    await peer.callTool('play', { target: 'staging' });
    expect(textOf(await peer.next())).toBe('kept');
    await peer.callTool('play', { target: 'production' });
    expect((await peer.next())['error']).toMatchObject({ code: -32603 });
    await close();
  });

  it('is not one that an earlier call with the same params was given', async () => {
    const states: string[] = [];
    const session = await openPlay(async (context) => {
      if (context.round === 1) return JSON.stringify(context.requestState());
      states.push(await context.mintRequestState({ run: states.length }));
      return states.length === 1 ? 'kept' : ask({ who: form() }, states[0]);
    });
    await session.run();
    expect(textOf(await session.peer.next())).toBe('kept');
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('{"run":0}');
  });

  it('is one that another server of the process sealed under a key of its own', async () => {
    let state = '';
    const first = await openPlay(async (context) => {
      state = await context.mintRequestState({ step: 1 });
      return 'kept';
    });
    await first.run();
    await first.peer.next();
    const second = await openPlay(() => ask({ who: form() }, state));
    await second.run();
    expect((await second.peer.next())['error']).toMatchObject({ code: -32603 });
  });

  it('is one that was sealed for another caller', async () => {
    const states: string[] = [];
    const served = await serveFactory(() =>
      createPlayServer(
        async (context) => {
          states.push(await context.mintRequestState({ step: 1 }));
          return states.length === 1 ? 'kept' : ask({ who: form() }, states[0]);
        },
        { options: { requestState: { keys: KEY } } },
      ),
    );
    try {
      const { peer } = served.connect();
      await peer.handshake({ capabilities: { elicitation: {} } });
      const params = PLAY_PARAMS['tools/call'];
      await peer.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { 'x-test-caller': 'app/ada' });
      expect(textOf(await peer.next())).toBe('kept');
      await peer.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }, { 'x-test-caller': 'app/ben' });
      expect(await peer.next()).toMatchObject({ id: 2, error: { code: -32603 } });
    } finally {
      await served.close();
    }
  });

  it('is refused before a missing capability is', async () => {
    const session = await openPlay(() => ask({ who: form() }, 'step 1'), { capabilities: {} });
    await session.run();
    expect(await session.peer.next()).toMatchObject({ error: { code: -32603 } });
  });
});

describe('[Q9d] mintRequestState without a middleware', () => {
  it.each([
    ['an empty extra', {}],
    ['a _meta of its own', { _meta: {} }],
  ])('is a DualEraError NO_MIDDLEWARE: %s', (_name, extra) => {
    expect(() => inputContext(extra).mintRequestState(1)).toThrow(
      expect.objectContaining({ name: 'DualEraError', code: 'NO_MIDDLEWARE' }),
    );
  });
});
