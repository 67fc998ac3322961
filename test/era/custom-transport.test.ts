import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type DualEraEvent, inputContext, shimTransport, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { Inbox } from '../support/inbox.ts';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { said } from '../support/own-server.ts';
import { Peer } from '../support/peer.ts';

const FORMS = { capabilities: { elicitation: {} } };

/** A transport of the user's own, with nothing but what the interface requires. */
class OwnTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly inbox = new Inbox();
  readonly peer = new Peer(
    {
      send: async (message) => {
        this.onmessage?.(structuredClone(message) as JSONRPCMessage);
        return 0;
      },
      close: () => this.close(),
    },
    this.inbox,
  );

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.inbox.push(message as Json);
    return Promise.resolve();
  }
}

/** One that forgets its callbacks when it is closed, and can be started again. */
class RestartableTransport extends OwnTransport {
  override async close(): Promise<void> {
    const { onclose } = this;
    delete this.onclose;
    delete this.onerror;
    delete this.onmessage;
    onclose?.();
  }
}

/** One whose `send` returns nothing, as plain JavaScript may do. */
class SilentTransport extends OwnTransport {
  override send(message: JSONRPCMessage): Promise<void> {
    this.inbox.push(message as Json);
    return undefined as never;
  }
}

/** One that answers the events of a serverless platform, with a method that only has the name of SDK v1's. */
class EventTransport extends OwnTransport {
  async handleRequest(event: { body: string }): Promise<Json> {
    this.onmessage?.(JSON.parse(event.body));
    return this.inbox.next();
  }
}

/** A server that is not wrapped, and how often its tool has run. */
function askingServer() {
  let runs = 0;
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('tool', {}, (extra) => {
    runs += 1;
    return inputContext(extra).round === 0 ? { content: [], ...ask({ who: form() }) } : said('done');
  });
  onTestFinished(() => server.close());
  return { server, runs: () => runs };
}

describe('a transport that is started again after it was closed, wrapped by shimTransport', () => {
  async function reconnect() {
    const clock = new ManualClock();
    const events: DualEraEvent[] = [];
    const { server, runs } = askingServer();
    const transport = new RestartableTransport();
    const wrapped = shimTransport(transport, { ports: { clock }, onEvent: (event) => events.push(event) });
    await server.connect(wrapped);
    await server.close();
    await server.connect(wrapped);
    await transport.peer.handshake(FORMS);
    return { peer: transport.peer, server, runs, clock, events };
  }

  it('runs a handler once for each call', async () => {
    const { peer, runs } = await reconnect();
    const id = await peer.callTool('tool');
    await peer.answer(await peer.next(), ADA);
    expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'done' }] } });
    expect(await peer.rest(0)).toEqual([]);
    expect(runs()).toBe(2);
  });

  it('has the holds released when it is closed again', async () => {
    const { peer, server, clock, events } = await reconnect();
    await peer.callTool('tool');
    await peer.next();
    await server.close();
    await settle();
    expect(clock.pending).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: 'hold-end', outcome: 'closed' });
  });
});

describe('a transport whose send returns no promise', () => {
  it('serves calls that ask, heartbeats included', async () => {
    const transport = new SilentTransport();
    await withInputRequiredShim(askingServer().server).connect(transport);
    const { peer } = transport;
    await peer.handshake(FORMS);
    const id = await peer.request('tools/call', { name: 'tool', _meta: { progressToken: 't' } });
    expect(await peer.next()).toMatchObject({ method: 'notifications/progress' });
    await peer.answer(await peer.next(), ADA);
    expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'done' }] } });
  });
});

describe('a transport with a handleRequest of its own kind', () => {
  it.each([
    ['without headers', {}],
    ['with headers', { headers: { host: 'example.com' } }],
    ['of the method POST', { method: 'POST', headers: {} }],
  ])('has its events handled as they are: %s', async (_name, more) => {
    const transport = new EventTransport();
    await withInputRequiredShim(askingServer().server).connect(transport);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await transport.handleRequest({ body, ...more })).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });
});
