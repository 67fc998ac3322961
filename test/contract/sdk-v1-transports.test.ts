import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { sdkNamed } from '../support/sdk.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } };

describe.each(['newest', 'oldest'] as const)('SDK v1, %s: what the shim leans on in its transports', (sdk) => {
  const { StdioServerTransport, StreamableHTTPServerTransport } = sdkNamed(sdk);
  let closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  it('reads stdin by a data listener, and takes no notice of its end', async () => {
    const stdin = new PassThrough();
    const transport = new StdioServerTransport(stdin, new PassThrough());
    let isClosed = false;
    transport.onclose = () => {
      isClosed = true;
    };
    await transport.start();
    expect(stdin.listenerCount('data')).toBe(1);
    stdin.end();
    await settle();
    expect([isClosed, stdin.readableEnded]).toEqual([false, true]);
    await transport.close();
    expect([isClosed, stdin.listenerCount('data')]).toEqual([true, 0]);
  });

  it("reads the process's own stdin where it is given none", async () => {
    const before = process.stdin.listenerCount('data');
    const transport = new StdioServerTransport();
    await transport.start();
    expect(process.stdin.listenerCount('data')).toBe(before + 1);
    await transport.close();
    expect(process.stdin.listenerCount('data')).toBe(before);
  });

  /** A transport behind HTTP, past its handshake; what it delivers is kept. */
  async function openHttp(options: Json) {
    const delivered: { message: Json; extra: Json }[] = [];
    const responses: { readonly headersSent: boolean }[] = [];
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 's', ...options });
    transport.onmessage = (message, extra) => {
      delivered.push({ message: message as Json, extra: extra as Json });
      const id = 'id' in message ? message.id : undefined;
      if (id === 0) void transport.send({ jsonrpc: '2.0', id, result: {} });
    };
    await transport.start();
    const http = createServer((request, response) => {
      responses.push(response);
      void transport.handleRequest(request, response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    closing.push(
      () => transport.close(),
      async () => {
        http.closeAllConnections();
        http.close();
      },
    );
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const abort = new AbortController();
    closing.unshift(async () => abort.abort());
    const post = (body: Json, headers: Json = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify(body),
        signal: abort.signal,
      });
    await (await post(initialize)).text();
    delivered.length = 0;
    responses.length = 0;
    return {
      transport,
      delivered,
      responses,
      post: (body: Json, headers: Json = {}) => post(body, { 'mcp-session-id': 's', ...headers }),
    };
  }

  it('sends the headers of a stream before the call is answered', async () => {
    const { responses, post } = await openHttp({});
    const response = await post(call);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(responses[0]?.headersSent).toBe(true);
    await response.body?.cancel();
  });

  it('sends no header of a JSON response before the call is answered, and drops a question in silence', async () => {
    const { transport, delivered, responses, post } = await openHttp({ enableJsonResponse: true });
    const response = post(call);
    while (delivered.length === 0) await settle(1);
    await settle(20);
    expect(responses[0]?.headersSent).toBe(false);
    await transport.send({ jsonrpc: '2.0', id: 'leg', method: 'roots/list' }, { relatedRequestId: 1 });
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await (await response).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('reads a body that was read before from rawBody, as its adapter @hono/node-server 1.19.19 and 2.1.9 does', async () => {
    const delivered: unknown[] = [];
    const transport = new StreamableHTTPServerTransport({});
    transport.onmessage = (message) => delivered.push(message);
    await transport.start();
    const http = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      await transport.handleRequest(Object.assign(request, { rawBody: Buffer.concat(chunks) }), response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    closing.push(
      () => transport.close(),
      async () => void http.close(),
    );
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { port } = http.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(notification),
    });
    expect(response.status).toBe(202);
    expect(delivered).toEqual([notification]);
  });

  it('drops a question that is related to no call in silence where no GET stream is open', async () => {
    const { transport } = await openHttp({});
    await transport.send({ jsonrpc: '2.0', id: 'leg', method: 'roots/list' });
  });

  const eventStore = { storeEvent: async () => 'e', replayEventsAfter: async () => 's' };
  it.each([
    ['an event store and 2025-11-25', { eventStore }, '2025-11-25', 'function'],
    ['an event store and 2025-06-18', { eventStore }, '2025-06-18', 'undefined'],
    ['an event store and no revision in the header', { eventStore }, undefined, 'undefined'],
    ['no event store', {}, '2025-11-25', 'undefined'],
  ])('hands out closeSSEStream exactly where a client could come back: %s', async (_, options, revision, type) => {
    const { delivered, post } = await openHttp(options);
    const response = await post(call, revision === undefined ? {} : { 'mcp-protocol-version': revision });
    while (delivered.length === 0) await settle(1);
    expect(typeof delivered[0]?.extra['closeSSEStream']).toBe(type);
    await response.body?.cancel();
  });

  it('gives the stream of a call away to a later request with its id', async () => {
    const { transport, delivered, post } = await openHttp({});
    const first = await post(call);
    const second = await post(call);
    while (delivered.length < 2) await settle(1);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await second.text()).toContain('"result"');
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('No connection established');
    await first.body?.cancel();
  });

  it('hands out the response of its web-standard transport before the answer of a call, unless that is JSON', async () => {
    const { WebStandardStreamableHTTPServerTransport } = await webStandard(sdk);
    for (const [enableJsonResponse, expected] of [
      [false, 'text/event-stream'],
      [true, 'nothing yet'],
    ] as const) {
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
      transport.onmessage = () => undefined;
      await transport.start();
      const request = new Request('http://127.0.0.1/', {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify(call),
      });
      const begun = transport.handleRequest(request).then((response) => response.headers.get('content-type'));
      expect(await Promise.race([begun, settle(50).then(() => 'nothing yet')])).toBe(expected);
      await transport.close();
    }
  });
});

/** From SDK v1 1.25 on. */
function webStandard(sdk: 'newest' | 'oldest') {
  return sdk === 'newest'
    ? import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js')
    : import('sdk-v1-oldest/server/webStandardStreamableHttp.js');
}
