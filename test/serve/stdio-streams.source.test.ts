import { EventEmitter, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ServeOptions, ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import { serveStreams } from '../../packages/shim/src/serving/stdio.ts';
import { settle } from '../support/manual-clock.ts';
import { stdioPeer } from '../support/stdio-peer.ts';
import { modernMessage, plain } from './malformed-request.ts';
import { claiming, OPENING } from './open-vector-server.ts';
import { createVectorServer } from './vector-factory.ts';

const vectors: ServerFactory = () => createVectorServer();

/** A server whose tool goes on until it is cancelled. */
const waiting = (signals: AbortSignal[]) => (): McpServer => {
  const server = new McpServer({ name: 'waiting', version: '1' });
  server.registerTool('wait', {}, async ({ signal }) => {
    signals.push(signal);
    await once(signal, 'abort');
    return { content: [] };
  });
  return server;
};

/** A served pipe with both of its ends in the hands of the test. */
function open(factory: ServerFactory = vectors, options: ServeOptions = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors: string[] = [];
  const onerror = ({ message }: Error): void => void errors.push(message);
  const served = serveStreams({ input, output }, factory, { onerror, ...options });
  const { peer } = stdioPeer({ stdin: input, stdout: output, once: () => undefined });
  const listeners = (): number =>
    ['data', 'end', 'close', 'error'].reduce((sum, name) => sum + input.listenerCount(name), 0);
  return { ...served, input, output, peer, errors, listeners };
}

const list = modernMessage('tools/list');

describe('close of a pipe', () => {
  it.each([
    ['that nobody has spoken on', []],
    ['of the modern era', [list]],
    ['of the handshake era', [plain('initialize', OPENING)]],
    ['that was probed', [modernMessage('server/discover')]],
  ])('%s leaves nothing on its input, which stays open', async (_name, messages) => {
    const { peer, input, listeners, close, closed } = open();
    for (const message of messages) {
      await peer.send(message);
      await peer.next();
    }
    expect(listeners()).toBeGreaterThan(0);
    await close();
    await closed;
    expect(listeners()).toBe(0);
    expect([input.destroyed, input.isPaused()]).toEqual([false, true]);
  });

  it('aborts what runs, closes the server, and settles for all who close it', async () => {
    const signals: AbortSignal[] = [];
    const told: string[] = [];
    const { peer, close, closed } = open(() => {
      const server = waiting(signals)();
      server.server.onclose = () => void told.push('closed');
      return server;
    });
    await peer.send(modernMessage('tools/call', { name: 'wait', arguments: {} }));
    await peer.send(modernMessage('tools/list', {}, { message: { id: 2 } }));
    expect(await peer.next()).toMatchObject({ id: 2 });
    await Promise.all([close(), close(), closed]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(told).toEqual(['closed']);
    expect(await peer.rest(0)).toEqual([]);
  });
});

describe('the end of the input', () => {
  it('ends a handshake connection whose server is made only after it, once what had come is answered', async () => {
    const database = new EventEmitter();
    const { peer, input, closed } = open(async (context) => {
      await once(database, 'open');
      return vectors(context);
    });
    await peer.send(plain('initialize', OPENING));
    await peer.callTool('echo', { text: 'hi' });
    input.end();
    await once(input, 'end');
    expect(database.listenerCount('open')).toBe(1);
    database.emit('open');
    expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    expect(await peer.next()).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    await closed;
  });

  it('is not put off by a request that was cancelled', async () => {
    const { peer, input, closed } = open(waiting([]));
    const { id: _, ...cancelled } = modernMessage('notifications/cancelled', { requestId: 1 });
    await peer.send(modernMessage('tools/call', { name: 'wait', arguments: {} }));
    input.end(`${JSON.stringify(cancelled)}\n`);
    await closed;
  });
});

describe('a pipe that breaks', () => {
  it('on its way in is reported, and the connection ends', async () => {
    const { peer, input, errors, closed } = open();
    await peer.send(list);
    await peer.next();
    input.destroy(new Error('the cable was cut'));
    await closed;
    expect(errors).toContain('the cable was cut');
  });

  it('on its way out is reported, and the connection ends', async () => {
    const errors: string[] = [];
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('nobody reads')) });
    const onerror = ({ message }: Error): void => void errors.push(message);
    const { closed } = serveStreams({ input, output }, vectors, { onerror });
    input.write(`${JSON.stringify(list)}\n`);
    await closed;
    expect(errors).toContain('nobody reads');
    await settle();
    expect(input.listenerCount('data')).toBe(0);
  });
});

describe("a pipe with eras: 'handshake'", () => {
  it('refuses every claim until the handshake, which works then', async () => {
    const { peer, close } = open(vectors, { eras: 'handshake' });
    for (const message of [list, claiming('2099-01-01'), modernMessage('server/discover')]) {
      await peer.send(message);
      expect(await peer.next()).toMatchObject({
        id: 1,
        error: { code: -32601, message: expect.stringContaining('initialize') },
      });
    }
    const { id: _, ...notification } = modernMessage('notifications/nope');
    await peer.send(notification);
    await peer.handshake();
    await peer.send(list);
    expect((await peer.next())['result'].tools).not.toHaveLength(0);
    await close();
  });
});
