import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Json } from '../support/json.ts';
import { Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { serveInProcess } from './in-process-server.ts';
import { callOf, modern } from './modern-message.ts';
import { mirrorHeaders } from './play-vector.ts';

interface Served {
  readonly peer: Peer;
  readonly errors: string[];
  giveUp(id: string): Promise<unknown>;
}

function overHttp(factory: ServerFactory): Served {
  const errors: string[] = [];
  const handler = createMcpHandler(factory, { onerror: ({ message }) => void errors.push(message) });
  const url = new URL('http://127.0.0.1/mcp');
  const aborts = new Map<string, AbortController>();
  const client = new StreamClient(url, (_url, init) => {
    const abort = new AbortController();
    aborts.set((JSON.parse(String(init?.body)) as Json)['id'] as string, abort);
    return handler.fetch(new Request(url, { ...init, signal: abort.signal }));
  });
  const send = (message: unknown): Promise<number> => client.send(message, mirrorHeaders(message as Json));
  const peer = new Peer({ send, close: () => client.close() }, client.inbox);
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return { peer, errors, giveUp: async (id) => aborts.get(id)?.abort() };
}

function overStdio(factory: ServerFactory): Served {
  const errors: string[] = [];
  const { peer, close } = serveInProcess(factory, { onerror: ({ message }) => void errors.push(message) });
  onTestFinished(close);
  const { id: _, ...cancelled } = modern('notifications/cancelled');
  const giveUp = (requestId: string) =>
    peer.send({ ...cancelled, params: { ...(cancelled['params'] as Json), requestId } });
  return { peer, errors, giveUp };
}

/** A server that grants what `grant` says, and tells `told` of it. */
function granting(told: string[], grant: (uri: string) => void | Promise<void>): () => McpServer {
  return () => {
    const server = new McpServer(
      { name: 'granting', version: '1' },
      { capabilities: { resources: { subscribe: true } } },
    );
    server.server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
      told.push(`subscribe ${uri}`);
      await grant(uri);
      return {};
    });
    server.server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
      told.push(`unsubscribe ${uri}`);
      return {};
    });
    server.registerTool('touch', { inputSchema: { uri: z.string() } }, async ({ uri }) => {
      await server.server.sendResourceUpdated({ uri });
      return { content: [] };
    });
    return server;
  };
}

describe.each([
  // The server of a listener over HTTP ends with it.
  ['http', overHttp, 'closed'],
  ['stdio', overStdio, 'unsubscribe a:one'],
] as const)('the resources of a modern listener (%s)', (_transport, serve, letGo) => {
  const listen = (id: string, uris: readonly string[], more: Json = {}): Json =>
    modern('subscriptions/listen', { notifications: { ...more, resourceSubscriptions: uris } }, { id });

  it('are those that the server grants, and onerror hears of the others', async () => {
    const told: string[] = [];
    const { peer, errors } = serve(
      granting(told, (uri) => {
        if (uri === 'a:secret') throw new Error('not yours');
      }),
    );
    await peer.send(listen('l', ['a:open', 'a:secret'], { resourcesListChanged: true }));
    expect(await peer.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: ['a:open'] } },
    });
    expect(errors).toEqual(['The server refused resources/subscribe']);
  });

  it('are heard of, and those that the server does not grant are not', async () => {
    const { peer } = serve(
      granting([], (uri) => {
        if (uri === 'a:secret') throw new Error('not yours');
      }),
    );
    await peer.send(listen('l', ['a:open', 'a:secret']));
    await peer.next();
    const touched = ['a:secret', 'a:open'].map((uri) => callOf('touch', { uri }));
    const heard: Json[] = [];
    for (const message of touched) await peer.send(message);
    // The answers to both, and one update.
    for (let count = 0; count < 3; count += 1) heard.push(await peer.next());
    const updates = heard.filter(({ method }) => method === 'notifications/resources/updated');
    expect(updates.map(({ params }) => params.uri)).toEqual(['a:open']);
    expect(await peer.rest()).toEqual([]);
  });

  it('are none where none is granted', async () => {
    const { peer } = serve(
      granting([], () => {
        throw new Error('nobody’s');
      }),
    );
    await peer.send(listen('l', ['a:secret']));
    const { params } = await peer.next();
    expect(params.notifications.resourceSubscriptions ?? []).toEqual([]);
  });

  it('are asked for once each, and let go of when it ends', async () => {
    const told: string[] = [];
    const { peer, giveUp } = serve(granting(told, () => undefined));
    await peer.send(listen('l', ['a:one', 'a:one', 'a:two']));
    await peer.next();
    expect(told).toEqual(['subscribe a:one', 'subscribe a:two']);
    await giveUp('l');
    await vi.waitFor(() => expect(told.slice(2)).toEqual(['unsubscribe a:one', 'unsubscribe a:two']));
  });

  it('are let go of where it ends while they are asked for, and the rest is not asked for', async () => {
    const told: string[] = [];
    let grant: () => void = () => undefined;
    const granted = new Promise<void>((resolve) => {
      grant = resolve;
    });
    const create = granting(told, () => granted);
    const { peer, giveUp } = serve(() => {
      const server = create();
      server.server.onclose = () => void told.push('closed');
      return server;
    });
    void peer.send(listen('l', ['a:one', 'a:two']));
    await vi.waitFor(() => expect(told).toEqual(['subscribe a:one']));
    await giveUp('l');
    // What says that it is over has been read before what says that it is granted.
    await new Promise((resolve) => setImmediate(resolve));
    grant();
    await vi.waitFor(() => expect(told.slice(1)).toEqual([letGo]));
  });

  it('are 1000 at most', async () => {
    const told: string[] = [];
    const { peer } = serve(granting(told, () => undefined));
    const uris = Array.from({ length: 1_001 }, (_, index) => `a:${index}`);
    await peer.send(listen('many', uris));
    expect(await peer.next()).toMatchObject({ id: 'many', error: { code: -32602, message: expect.any(String) } });
    expect(told).toEqual([]);
    await peer.send(listen('fewer', uris.slice(1)));
    expect((await peer.next())['params'].notifications.resourceSubscriptions).toHaveLength(1_000);
  });
});

describe('a resource that two listeners on one pipe want', () => {
  it('is asked for once, and let go of with the last of them', async () => {
    const told: string[] = [];
    const { peer, giveUp } = overStdio(granting(told, () => undefined));
    for (const id of ['first', 'second']) {
      await peer.send(modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['a:one'] } }, { id }));
      await peer.next();
    }
    expect(told).toEqual(['subscribe a:one']);
    await giveUp('first');
    await peer.send(modern('server/discover', {}, { id: 'after' }));
    await peer.next();
    expect(told).toEqual(['subscribe a:one']);
    await giveUp('second');
    await vi.waitFor(() => expect(told).toEqual(['subscribe a:one', 'unsubscribe a:one']));
  });
});
