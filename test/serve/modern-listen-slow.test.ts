import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { StreamClient } from '../support/stream-client.ts';
import { serveInProcess } from './in-process-server.ts';
import { callOf, modern, textOf } from './modern-message.ts';
import { mirrorHeaders } from './play-vector.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const LONGEST_SUBSCRIBE = 5_000;

const listen = (id: string, uris: readonly string[], more: Json = {}): Json =>
  modern('subscriptions/listen', { notifications: { ...more, resourceSubscriptions: uris } }, { id });
const acknowledged = (id: string, notifications: Json): Json => ({
  jsonrpc: '2.0',
  method: ACKNOWLEDGED,
  params: { notifications, _meta: { [SUBSCRIPTION]: id } },
});

/** A server that grants a resource when the test does, and `open:` ones at once. */
function granting() {
  const told: string[] = [];
  const waiting = new Map<string, () => void>();
  const aborted: string[] = [];
  const factory = () => {
    const capabilities = { resources: { subscribe: true }, tools: { listChanged: true } };
    const server = new McpServer({ name: 'granting', version: '1' }, { capabilities });
    server.server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
      told.push(`subscribe ${uri}`);
      if (!uri.startsWith('open:')) await new Promise<void>((resolve) => waiting.set(uri, resolve));
      return {};
    });
    server.server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
      told.push(`unsubscribe ${uri}`);
      return {};
    });
    server.registerTool('change', {}, async () => {
      server.sendToolListChanged();
      return { content: [{ type: 'text', text: 'changed' }] };
    });
    server.registerTool('touch', { inputSchema: { uri: z.string() } }, async ({ uri }) => {
      await server.server.sendResourceUpdated({ uri });
      return { content: [{ type: 'text', text: 'touched' }] };
    });
    server.registerTool('wait', {}, ({ signal }) => {
      signal.addEventListener('abort', () => aborted.push('aborted'));
      return new Promise(() => undefined);
    });
    return server;
  };
  const grant = (uri: string) => waiting.get(uri)?.();
  return { factory, told, aborted, grant };
}

/** That server on a pipe. */
function serveGranting() {
  const clock = new ManualClock();
  const { factory, told, aborted, grant } = granting();
  const { peer, close } = serveInProcess(factory, { inputRequired: { ports: { clock } }, onerror: () => undefined });
  onTestFinished(async () => {
    const closed = close();
    await clock.advance(LONGEST_SUBSCRIBE);
    await closed;
  });
  const { id: _, ...cancelled } = modern('notifications/cancelled');
  const giveUp = (requestId: string) =>
    peer.send({ ...cancelled, params: { ...(cancelled['params'] as Json), requestId } });
  /** What has come that no test has taken yet. */
  const heard = async (): Promise<Json[]> => {
    await settle(20);
    return peer.inbox.rest(0);
  };
  return { peer, clock, told, aborted, giveUp, grant, heard };
}

describe('a listener on stdio whose server takes its time to grant a resource', () => {
  it('is acknowledged first, and then hears what has changed meanwhile', async () => {
    const { peer, grant, heard } = serveGranting();
    await peer.send(listen('l', ['slow:one'], { toolsListChanged: true }));
    await peer.send(callOf('change', {}, { id: 'change' }));
    expect((await heard()).map(({ id, method }) => id ?? method)).toEqual(['change']);
    grant('slow:one');
    expect(await heard()).toStrictEqual([
      acknowledged('l', { toolsListChanged: true, resourceSubscriptions: ['slow:one'] }),
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { [SUBSCRIPTION]: 'l' } } },
    ]);
  });

  it('leaves the other listeners what they hear', async () => {
    const { peer, heard } = serveGranting();
    await peer.send(listen('first', [], { toolsListChanged: true }));
    await peer.send(listen('slow', ['slow:one'], { toolsListChanged: true }));
    await heard();
    await peer.send(callOf('change', {}, { id: 'change' }));
    const names = (await heard()).map(({ id, method, params }) => id ?? [method, params._meta[SUBSCRIPTION]]);
    expect(names).toEqual([['notifications/tools/list_changed', 'first'], 'change']);
  });

  it('keeps no other request waiting, and no cancel', async () => {
    const { peer, aborted, giveUp, heard } = serveGranting();
    await peer.send(callOf('wait', {}, { id: 'wait' }));
    await peer.send(listen('l', ['slow:one']));
    await peer.send(callOf('change', {}, { id: 'other' }));
    expect((await heard()).map(textOf)).toEqual(['changed']);
    await giveUp('wait');
    await heard();
    expect(aborted).toEqual(['aborted']);
  });

  it('is acknowledged in time with what was granted by then, and what is granted later is let go of', async () => {
    const { peer, clock, told, grant, heard } = serveGranting();
    await peer.send(listen('l', ['open:one', 'open:two', 'slow:three', 'open:four']));
    await settle(20);
    await clock.advance(LONGEST_SUBSCRIBE - 1);
    expect(await heard()).toEqual([]);
    await clock.advance(1);
    expect(await heard()).toStrictEqual([acknowledged('l', { resourceSubscriptions: ['open:one', 'open:two'] })]);
    grant('slow:three');
    await settle(20);
    expect(told).toEqual([
      'subscribe open:one',
      'subscribe open:two',
      'subscribe slow:three',
      'unsubscribe slow:three',
    ]);
    await peer.send(callOf('touch', { uri: 'slow:three' }, { id: 'three' }));
    await peer.send(callOf('touch', { uri: 'open:two' }, { id: 'two' }));
    const names = (await heard()).map(({ id, params }) => id ?? params.uri);
    expect(names).toEqual(['three', 'open:two', 'two']);
  });

  it('is not acknowledged where it has ended, and hears nothing', async () => {
    const { peer, giveUp, grant, heard } = serveGranting();
    await peer.send(listen('l', ['slow:one'], { toolsListChanged: true }));
    await peer.send(callOf('change', {}, { id: 'change' }));
    await heard();
    await giveUp('l');
    await settle(20);
    grant('slow:one');
    expect(await heard()).toEqual([]);
  });

  it('leaves its id to the next one, which is acknowledged once', async () => {
    const { peer, giveUp, grant, heard } = serveGranting();
    await peer.send(listen('l', ['slow:one']));
    await settle(20);
    await giveUp('l');
    await peer.send(listen('l', ['slow:two']));
    await settle(20);
    grant('slow:one');
    expect(await heard()).toEqual([]);
    grant('slow:two');
    expect(await heard()).toStrictEqual([acknowledged('l', { resourceSubscriptions: ['slow:two'] })]);
  });

  it('has it asked for once, where another one wants it too', async () => {
    const { peer, told, giveUp, grant, heard } = serveGranting();
    await peer.send(listen('first', ['slow:one']));
    await peer.send(listen('second', ['slow:one']));
    await settle(20);
    grant('slow:one');
    expect(await heard()).toStrictEqual(
      ['first', 'second'].map((id) => acknowledged(id, { resourceSubscriptions: ['slow:one'] })),
    );
    await giveUp('first');
    await settle(20);
    expect(told).toEqual(['subscribe slow:one']);
    await giveUp('second');
    await settle(20);
    expect(told).toEqual(['subscribe slow:one', 'unsubscribe slow:one']);
  });
});

describe('a listener over HTTP whose server takes its time to grant a resource', () => {
  it('is acknowledged in time with what was granted by then', async () => {
    const clock = new ManualClock();
    const { factory, told } = granting();
    const handler = createMcpHandler(factory, { inputRequired: { ports: { clock } } });
    const url = new URL('http://127.0.0.1/mcp');
    const client = new StreamClient(url, (_url, init) => handler.fetch(new Request(url, init)));
    onTestFinished(async () => {
      await client.close();
      await handler.close();
    });
    const message = listen('l', ['open:one', 'slow:two', 'open:three']);
    const sent = client.send(message, mirrorHeaders(message));
    await vi.waitFor(() => expect(told).toEqual(['subscribe open:one', 'subscribe slow:two']));
    await clock.advance(LONGEST_SUBSCRIBE - 1);
    expect(await client.inbox.rest(0)).toEqual([]);
    await clock.advance(1);
    expect(await sent).toBe(200);
    expect(await client.inbox.next()).toStrictEqual(acknowledged('l', { resourceSubscriptions: ['open:one'] }));
    expect(told).toEqual(['subscribe open:one', 'subscribe slow:two']);
    expect(clock.pending).toBe(0);
  });
});
