import { randomUUID } from 'node:crypto';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError, inputContext, shimTransport, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { Inbox } from '../support/inbox.ts';
import { said } from '../support/own-server.ts';
import { Peer } from '../support/peer.ts';

const FORMS = { capabilities: { elicitation: {} } };

function askingServer(): McpServer {
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('tool', {}, (extra) =>
    inputContext(extra).round === 0 ? { content: [], ...ask({ who: form() }) } : said('done'),
  );
  onTestFinished(() => server.close());
  return server;
}

function pair() {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const inbox = new Inbox();
  near.onmessage = inbox.push;
  const send = async (message: unknown): Promise<number> => {
    await near.send(structuredClone(message) as never);
    return 0;
  };
  return { near, far, peer: new Peer({ send, close: () => near.close() }, inbox) };
}

async function playOnce(peer: Peer): Promise<void> {
  await peer.callTool('tool');
  await peer.answer(await peer.next(), ADA);
  expect((await peer.next())['result'].content[0].text).toBe('done');
}

describe('shimTransport', () => {
  it('lets a server that is not wrapped ask', async () => {
    const { far, peer } = pair();
    await askingServer().connect(shimTransport(far));
    await peer.handshake(FORMS);
    await playOnce(peer);
  });

  it('takes the options', async () => {
    const { far, peer } = pair();
    const types: string[] = [];
    await askingServer().connect(shimTransport(far, { onEvent: ({ type }) => types.push(type) }));
    await peer.handshake(FORMS);
    await playOnce(peer);
    expect(types).toEqual(['round-start', 'leg-start', 'leg-end', 'round-end', 'hold-end']);
  });

  it('refuses options that are wrong', () => {
    const { far } = pair();
    expect(() => shimTransport(far, { maxRounds: 0 })).toThrow(RangeError);
    expect(() => shimTransport(far, { maxRounds: 'two' as never })).toThrow(TypeError);
  });

  it('refuses a transport that is wrapped', () => {
    const wrapped = shimTransport(pair().far);
    expect(() => shimTransport(wrapped)).toThrow(DualEraError);
    expect(() => shimTransport(wrapped)).toThrow(
      'This transport is wrapped by the input-required shim already. ' +
        'Wrap either the server (withInputRequiredShim) or the transport (shimTransport), once.',
    );
  });

  it('is refused by a server that is wrapped', async () => {
    const server = withInputRequiredShim(askingServer());
    const error: unknown = await server.connect(shimTransport(pair().far)).catch((thrown: unknown) => thrown);
    expect(DualEraError.isInstance(error) && error.code).toBe('ALREADY_WRAPPED');
  });
});

describe('callbacks set on the transport before connect', () => {
  it('hear each message, the close and the errors', async () => {
    const { far, peer } = pair();
    const heard: string[] = [];
    far.onmessage = (message: JSONRPCMessage) => {
      heard.push('method' in message ? message.method : 'answer');
    };
    far.onclose = () => heard.push('closed');
    far.onerror = (error) => heard.push(error.message);
    const server = withInputRequiredShim(askingServer());
    await server.connect(far);
    await peer.handshake(FORMS);
    await playOnce(peer);
    far.onerror(new Error('a broken pipe'));
    await peer.close();
    // Each call once: that its handler ran twice was not on the wire.
    expect(heard).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'answer',
      'a broken pipe',
      'closed',
    ]);
  });

  it('hear the same when they are set after shimTransport', async () => {
    const { far, peer } = pair();
    const heard: string[] = [];
    const wrapped = shimTransport(far);
    far.onmessage = (message: JSONRPCMessage) => {
      heard.push('method' in message ? message.method : 'answer');
    };
    far.onclose = () => heard.push('closed');
    far.onerror = (error) => heard.push(error.message);
    await askingServer().connect(wrapped);
    await peer.handshake(FORMS);
    far.onerror(new Error('a broken pipe'));
    await peer.close();
    expect(heard).toEqual(['initialize', 'notifications/initialized', 'a broken pipe', 'closed']);
  });

  it('leave the server its own onclose and onerror', async () => {
    const { far, peer } = pair();
    const heard: string[] = [];
    far.onclose = () => heard.push('transport closed');
    const server = withInputRequiredShim(askingServer());
    server.server.onclose = () => heard.push('server closed');
    server.server.onerror = (error) => heard.push(error.message);
    await server.connect(far);
    await peer.handshake(FORMS);
    far.onerror?.(new Error('a broken pipe'));
    await peer.close();
    expect(heard).toEqual(['a broken pipe', 'transport closed', 'server closed']);
  });

  it('hear the end of an HTTP session', async () => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
    let isClosed = false;
    transport.onclose = () => {
      isClosed = true;
    };
    await withInputRequiredShim(askingServer()).connect(transport as never);
    await transport.close();
    expect(isClosed).toBe(true);
  });
});

/** A transport with members that the interface does not have, and private ones that they need. */
class TalkativeTransport extends InMemoryTransport {
  #sent = 0;
  override sessionId = 'session-7';
  label = 'first';

  override async send(message: JSONRPCMessage): Promise<void> {
    this.#sent += 1;
    await super.send(message);
  }

  get sent(): number {
    return this.#sent;
  }

  countSent(more: number): number {
    return this.#sent + more;
  }
}

describe('members of the transport that the interface does not have', () => {
  it('are delegated, methods with their own this', () => {
    const inner = new TalkativeTransport();
    const wrapped = shimTransport(inner) as TalkativeTransport;
    expect([wrapped.sessionId, wrapped.label, wrapped.sent, wrapped.countSent(2)]).toEqual([
      'session-7',
      'first',
      0,
      2,
    ]);
    expect('label' in wrapped && 'countSent' in wrapped).toBe(true);
    expect('nonsense' in wrapped).toBe(false);
    expect(wrapped.countSent).toBe(wrapped.countSent);
  });

  it('are written through', () => {
    const inner = new TalkativeTransport();
    const wrapped = shimTransport(inner) as TalkativeTransport;
    wrapped.label = 'second';
    wrapped.sessionId = 'session-8';
    expect([inner.label, inner.sessionId]).toEqual(['second', 'session-8']);
  });

  it('are there on server.transport', async () => {
    const server = withInputRequiredShim(askingServer());
    await server.connect(new TalkativeTransport());
    expect((server.server.transport as TalkativeTransport).label).toBe('first');
    expect(server.server.transport?.sessionId).toBe('session-7');
  });

  it('leave the class of the transport as it is', () => {
    const wrapped = shimTransport(new TalkativeTransport());
    expect(wrapped).toBeInstanceOf(TalkativeTransport);
    expect(wrapped.constructor).toBe(TalkativeTransport);
  });
});

describe('an answer to a call that is not in flight', () => {
  it('goes out as it is, unless it is an ask: nobody is there to have it asked for', async () => {
    const { far, near } = pair();
    const inbox = new Inbox();
    near.onmessage = inbox.push;
    const wrapped = shimTransport(far);
    await wrapped.send({ jsonrpc: '2.0', id: 7, result: { content: [], ...ask({ who: form() }) } });
    await wrapped.send({ jsonrpc: '2.0', id: 8, result: { content: [] } });
    expect(inbox.all).toEqual([{ jsonrpc: '2.0', id: 8, result: { content: [] } }]);
  });
});
