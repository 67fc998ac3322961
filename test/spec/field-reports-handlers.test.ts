import { inputContext, inputRequired, withInputRequiredShim, withoutInputRequiredShim } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { sdkNamed } from '../support/sdk.ts';

describe('field reports about handlers', () => {
  let session: PlaySession;
  afterEach(() => session?.close());

  it.each(METHODS)(
    '[F12] [H12a] a question that a background job asks after %s was answered is rejected at once',
    async (method) => {
      let late: Promise<unknown> = Promise.resolve();
      session = await openPlay((_context, { sendRequest }) => {
        const job = async () => {
          await settle();
          await sendRequest({ method: 'roots/list' } as never, sdkNamed('newest').types.ListRootsResultSchema as never);
        };
        late = job().catch((error: unknown) => error);
        return 'done';
      });
      await session.run(method);
      expect(textOf(await session.peer.next())).toBe('done');
      expect(await late).toMatchObject({
        code: 'CALL_ENDED',
        message: expect.stringContaining('Ask before the handler returns, and await the answer.'),
      });
      expect(await session.peer.rest(0)).toEqual([]);
    },
  );

  it('[F22] [O1] [R3] a handler that asks for ever ends after maxRounds', async () => {
    session = await openPlay(({ round }) => ask({ q: form(`Question ${round}?`) }));
    const { peer, run, runs } = session;
    await run();
    for (let round = 0; round < 8; round += 1) await peer.answer(await peer.next(), ADA);
    expect(outcomeOf(await peer.next())).toEqual({
      reason: 'rounds-exceeded',
      method: 'tools/call',
      target: 'play',
      round: 9,
    });
    expect(runs()).toBe(9);
    await expectNothingLeft(session);
  });

  it('[F22] [H2a] an ask with empty inputRequests and no state is a mistake of the server', async () => {
    session = await openPlay(() => ask({}));
    await session.run();
    expect((await session.peer.next())['error'].code).toBe(-32603);
    await expectNothingLeft(session);
  });

  it('[F24] a question that differs each round is asked maxRounds times at most, declined or not', async () => {
    let seconds = 0;
    session = await openPlay(() => {
      seconds += 1;
      return ask({ q: form(`It is 12:00:0${seconds}. Go on?`) });
    });
    const { peer, run } = session;
    await run();
    for (let round = 0; round < 8; round += 1) await peer.answer(await peer.next(), { action: 'decline' });
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', round: 9 });
    await expectNothingLeft(session);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
    [
      'throws nothing at all',
      () => {
        throw undefined;
      },
    ],
    ['never settles', () => new Promise(() => undefined)],
  ])('[F43] [E2] an onEvent hook that %s does not change a call', async (_, onEvent) => {
    session = await openPlay((context) => (context.round === 0 ? ask({ q: form() }) : 'done'), {
      options: { onEvent: onEvent as never },
    });
    const { peer, run } = session;
    await run();
    const leg = await peer.next();
    await peer.answer({ id: `${leg['id']}x` }, ADA);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('done');
    await expectNothingLeft(session);
  });

  it.each([
    ['spreads', (result: Json) => ({ ...result })],
    ['adds members to', (result: Json) => ({ ...result, _meta: { took: 1 } })],
    ['serialises', (result: Json) => JSON.parse(JSON.stringify(result))],
    ['clones', (result: Json) => structuredClone(result)],
    ['freezes', (result: Json) => Object.freeze(result)],
  ])('[F47] an ask survives a wrapper that %s what a handler returns', async (_, wrap) => {
    const built = () => inputRequired({ inputRequests: { q: inputRequired.listRoots() }, requestState: { step: 1 } });
    session = await openPlay((context) =>
      context.round === 0 ? wrap(built() as Json) : JSON.stringify(context.requestState()),
    );
    for (const method of METHODS) {
      await session.run(method);
      await session.peer.answer(await session.peer.next(), { roots: [] });
      expect(textOf(await session.peer.next())).toBe('{"step":1}');
    }
  });
});

describe('[F48] a client reads an ask that nobody fulfils', () => {
  const createServer = () => {
    const { McpServer } = sdkNamed('newest');
    const server = new McpServer({ name: 'bare', version: '1' });
    const built = (extra: { _meta?: object | undefined }) => {
      expect(inputContext(extra).canAsk('roots')).toBe(false);
      return inputRequired({ inputRequests: { q: inputRequired.listRoots() } });
    };
    server.registerTool('play', {}, async (extra) => built(extra));
    server.registerPrompt('play', {}, async (extra) => built(extra));
    server.registerResource('play', 'play://once', {}, async (_uri, extra) => built(extra));
    return server;
  };

  it.each(METHODS)('where the shim is off: a loud refusal of %s that names the cure', async (method) => {
    const { peer, close } = await connectMemory(withoutInputRequiredShim(createServer()));
    await peer.handshake({ capabilities: { roots: {} } });
    await peer.request(method, PLAY_PARAMS[method] as Json);
    const answer = await peer.next();
    expect(outcomeOf(answer)).toEqual({
      reason: 'shim-off',
      method,
      target: method === 'resources/read' ? 'play://once' : 'play',
      round: 1,
    });
    const said = answer['error']?.message ?? textOf(answer);
    expect(said).toContain('wrap the server with withInputRequiredShim before connect');
    await close();
  });

  it.each(METHODS)('where there is no middleware at all: what %s gets says so, and is never empty', async (method) => {
    const { peer, close } = await connectMemory(createServer());
    await peer.handshake({ capabilities: { roots: {} } });
    await peer.request(method, PLAY_PARAMS[method] as Json);
    const answer = await peer.next();
    expect(answer['result'].isError).toBe(true);
    expect(textOf(answer)).toContain('no middleware was there to ask for it');
    await close();
  });

  it('until the shim is switched back on', async () => {
    const server = withInputRequiredShim(withoutInputRequiredShim(createServer()));
    const { peer, close } = await connectMemory(server);
    await peer.handshake({ capabilities: {} });
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    expect(outcomeOf(await peer.next())['reason']).toBe('unsupported');
    await close();
  });
});
