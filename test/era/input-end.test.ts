import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { DualEraEvent } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { settle } from '../support/manual-clock.ts';
import { createPlayServer, PLAY_PARAMS } from '../support/play-server.ts';

// The end of stdin within this process: stdin-end.test.ts has it in processes of their own.

/** Makes `far` a transport that reads the process's stdin, as SDK v1's stdio transport does. */
function readingStdin(far: InMemoryTransport): Transport {
  const ignore = (): void => undefined;
  const start = far.start.bind(far);
  far.start = async () => {
    process.stdin.on('data', ignore);
    await start();
  };
  const close = far.close.bind(far);
  far.close = async () => {
    process.stdin.off('data', ignore);
    await close();
  };
  return far;
}

const listeners = (): number[] => (['data', 'end', 'close'] as const).map((name) => process.stdin.listenerCount(name));

async function open(...[play, settings]: Parameters<typeof createPlayServer>) {
  const before = listeners();
  const server = createPlayServer(play, settings);
  const connect = server.connect.bind(server);
  server.connect = (transport) => connect(readingStdin(transport as InMemoryTransport));
  const session = await connectMemory(server);
  let isClosed = false;
  session.near.onclose = () => {
    isClosed = true;
  };
  await session.peer.handshake({ capabilities: { elicitation: {} } });
  onTestFinished(async () => {
    await session.close();
    process.stdin.pause();
    expect(listeners()).toEqual(before);
  });
  const endStdin = async (event = 'end'): Promise<void> => {
    process.stdin.emit(event);
    await settle();
  };
  return { ...session, endStdin, isClosed: () => isClosed };
}

describe('the end of stdin, in this process', () => {
  it.each(['end', 'close'])('ends the hold without a word and closes the transport: %s', async (event) => {
    const { peer, endStdin, isClosed } = await open(() => ask({ who: form() }));
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await peer.next();
    await endStdin(event);
    expect(isClosed()).toBe(true);
    expect(await peer.rest(0)).toEqual([]);
  });

  it('waits for a handler that can still finish', async () => {
    let finish: (text: string) => void = () => undefined;
    const work = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { peer, endStdin, isClosed } = await open(() => work as never);
    const id = await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await settle();
    await endStdin();
    expect(isClosed()).toBe(false);
    finish('done');
    await settle();
    expect((await peer.next())['id']).toBe(id);
    expect(isClosed()).toBe(true);
  });

  it("[H10c] waits for a handler whose request of SDK v1's own could not be sent", async () => {
    let finish: (text: string) => void = () => undefined;
    const work = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const failures: unknown[] = [];
    const { peer, far, endStdin, isClosed } = await open(async (_context, extra) => {
      const request = { method: 'roots/list' } as never;
      await extra.sendRequest(request, ListRootsResultSchema as never).catch((error) => failures.push(error));
      return work;
    });
    const send = far.send.bind(far);
    far.send = (message, options) =>
      'method' in message ? Promise.reject(new Error('a broken pipe')) : send(message, options);
    const id = await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await settle();
    expect(failures).toEqual([new Error('a broken pipe')]);
    await endStdin();
    expect(isClosed()).toBe(false);
    finish('done');
    await settle();
    expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'done' }] } });
    expect(isClosed()).toBe(true);
  });

  it('waits for a handler, whatever another one that has ended had sent', async () => {
    let finish: (text: string) => void = () => undefined;
    const work = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { peer, endStdin, isClosed } = await open((_context, extra) => {
      if (extra.requestId !== 7) return work as never;
      // Nobody waits for it: the handler returns.
      extra.sendRequest({ method: 'roots/list' } as never, ListRootsResultSchema as never).catch(() => undefined);
      return 'left';
    });
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {}, 7);
    expect((await peer.next())['method']).toBe('roots/list');
    expect((await peer.next())['id']).toBe(7);
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {}, 8);
    await settle();
    await endStdin();
    expect(isClosed()).toBe(false);
    finish('done');
    await settle();
    expect(await peer.next()).toMatchObject({ id: 8, result: { content: [{ text: 'done' }] } });
    expect(isClosed()).toBe(true);
  });

  it('asks nothing any more', async () => {
    let finish: (made: unknown) => void = () => undefined;
    const work = new Promise<unknown>((resolve) => {
      finish = resolve;
    });
    const { peer, endStdin, isClosed } = await open(() => work as never);
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await settle();
    await endStdin();
    finish(ask({ who: form() }));
    await settle();
    expect(isClosed()).toBe(true);
    expect(await peer.rest(0)).toEqual([]);
  });
});

describe('a hold that goes on as stdin ends', () => {
  it('is told to have ended with the connection, where its handler asks once more', async () => {
    const events: DualEraEvent[] = [];
    let finish: (made: unknown) => void = () => undefined;
    const work = new Promise<unknown>((resolve) => {
      finish = resolve;
    });
    const options = { onEvent: (event: DualEraEvent) => void events.push(event) };
    const { peer, endStdin, isClosed } = await open(
      ({ round }) => (round === 0 ? ask({ who: form() }) : (work as never)),
      { options },
    );
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await peer.answer(await peer.next(), ADA);
    await settle();
    await endStdin();
    expect([isClosed(), events.at(-1)?.type]).toEqual([false, 'round-end']);
    finish(ask({ again: form() }));
    await settle();
    expect([isClosed(), events.at(-1)]).toMatchObject([true, { type: 'hold-end', outcome: 'closed' }]);
    expect(await peer.rest(0)).toEqual([]);
  });
});

describe('[H10c] the end of stdin, next to a transport that does not read it', () => {
  it.each(['before it', 'after it'])('leaves that one open, which is started %s', async (order) => {
    const [stdio, other] = [createPlayServer(() => 'done'), createPlayServer(() => 'done')];
    const [stdioPair, otherPair] = [InMemoryTransport.createLinkedPair(), InMemoryTransport.createLinkedPair()];
    const closed: string[] = [];
    stdioPair[0].onclose = () => closed.push('stdio');
    otherPair[0].onclose = () => closed.push('other');
    const starts = [() => other.connect(otherPair[1]), () => stdio.connect(readingStdin(stdioPair[1]))];
    await Promise.all((order === 'before it' ? starts : starts.reverse()).map((start) => start()));
    onTestFinished(async () => {
      await Promise.all([stdio.close(), other.close()]);
      process.stdin.pause();
    });
    process.stdin.emit('end');
    await settle();
    expect(closed).toEqual(['stdio']);
  });
});

describe('a run that is due when the call is cancelled', () => {
  it('is taken off the clock of the platform', async () => {
    let runs = 0;
    const server = createPlayServer(() => {
      runs += 1;
      return ask({ who: form() });
    });
    const { peer, close } = await connectMemory(server);
    onTestFinished(close);
    await peer.handshake({ capabilities: { elicitation: {} } });
    const id = await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    const leg = await peer.next();
    await peer.answer(leg, ADA);
    // All that needs no turn of the event loop: what is left is the run that waits for one.
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    await peer.cancel(id);
    await settle();
    expect(runs).toBe(1);
  });
});
