import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { DualEraEvent } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { createPlayServer, PLAY_PARAMS } from '../support/play-server.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const SESSION = { ...HEADERS, 'mcp-session-id': 's' };
const ADDRESS = 'http://127.0.0.1/mcp';
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  },
};

/** A promise that the test settles itself. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A server that asks, and what it tells. */
function askingServer(sdk?: SdkName) {
  const events: DualEraEvent[] = [];
  let runs = 0;
  const play = () => {
    runs += 1;
    return ask({ who: form() });
  };
  const server = createPlayServer(play, { sdk, options: { onEvent: (event) => events.push(event) } });
  onTestFinished(() => server.close());
  return { server, events, runs: () => runs };
}

type Before = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * A session over node's HTTP server. A request with the header `x-leaves` goes through `before`, which may parse its
 * body, and its client leaves when `leave` is called.
 */
async function serve(sdk: SdkName, before: Before) {
  const asking = askingServer(sdk);
  const { StreamableHTTPServerTransport } = sdkNamed(sdk);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 's' });
  await asking.server.connect(transport as never);
  const arrived = deferred<void>();
  const handled = deferred<unknown>();
  const http = createServer(async (request, response) => {
    if (request.headers['x-leaves'] === undefined) return transport.handleRequest(request, response);
    arrived.resolve();
    const body = await before(request, response);
    transport.handleRequest(request, response, body).then(
      () => handled.resolve('handled'),
      (error: unknown) => handled.resolve(error),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const post = (message: Json): Promise<Response> =>
    fetch(url, { method: 'POST', headers: message['id'] === 0 ? HEADERS : SESSION, body: JSON.stringify(message) });
  await (await post(INITIALIZE)).text();
  const upload = (body: string, length = body.length) => {
    const headers = { ...SESSION, 'x-leaves': 'yes', 'content-length': length };
    const sent = httpRequest(url, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write(body);
    return sent;
  };
  return { ...asking, post, upload, arrived: arrived.promise, handled: handled.promise };
}

describe.each(['newest', 'oldest'] as const)('a client that breaks off its upload, over HTTP (%s SDK v1)', (sdk) => {
  it.each<[string, Before]>([
    ['its body is read', async () => undefined],
    ['an authentication runs', async (_request, response) => once(response, 'close').then(() => undefined)],
  ])('makes no handleRequest reject, and leaves the session as it is: while %s', async (_name, before) => {
    const { upload, arrived, handled, post, runs } = await serve(sdk, before);
    const sent = upload('{"jsonrpc":', 500);
    await arrived;
    sent.destroy();
    expect(await handled).toBe('handled');
    expect((await post(PING)).status).toBe(200);
    expect(runs()).toBe(0);
  });
});

async function openWeb() {
  const asking = askingServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 's' });
  await asking.server.connect(transport);
  const post = (message: Json, init: RequestInit = {}): Promise<Response> => {
    const headers = message['id'] === 0 ? HEADERS : SESSION;
    return transport.handleRequest(
      new Request(ADDRESS, { method: 'POST', headers, body: JSON.stringify(message), ...init }),
    );
  };
  await (await post(INITIALIZE)).text();
  return { ...asking, transport, post };
}

describe('a request whose body cannot be read, on the web-standard transport', () => {
  it('gets HTTP 400 when the client breaks off its upload', async () => {
    const { transport } = await openWeb();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
      pull: (controller) => controller.error(new Error('the client is gone')),
    });
    const request = new Request(ADDRESS, { method: 'POST', headers: SESSION, body, duplex: 'half' } as RequestInit);
    const response = await transport.handleRequest(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });

  it('gets HTTP 400 when somebody else has read it', async () => {
    const { transport } = await openWeb();
    const request = new Request(ADDRESS, { method: 'POST', headers: SESSION, body: JSON.stringify(PING) });
    await request.text();
    const response = await transport.handleRequest(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });
});

describe('[H10b] a call whose client is gone before the transport gets it', () => {
  it.each(['newest', 'oldest'] as const)('is not run where its body was left unread (%s SDK v1)', async (sdk) => {
    const { upload, arrived, handled, post, runs } = await serve(sdk, async (_request, response) => {
      await once(response, 'close');
    });
    const sent = upload(JSON.stringify(CALL));
    sent.end();
    await arrived;
    sent.destroy();
    expect(await handled).toBe('handled');
    expect((await post(PING)).status).toBe(200);
    expect(runs()).toBe(0);
  });

  it.each(['newest', 'oldest'] as const)('is not held, on the node transport (%s SDK v1)', async (sdk) => {
    const left = deferred<void>();
    const { upload, handled, post, runs, events } = await serve(sdk, async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      left.resolve();
      await once(response, 'close');
      return JSON.parse(text);
    });
    const sent = upload(JSON.stringify(CALL));
    sent.end();
    await left.promise;
    sent.destroy();
    await handled;
    await vi.waitFor(() => expect(runs()).toBe(1));
    // A call that is held would keep its id.
    await vi.waitFor(async () => expect((await post(PING)).status).toBe(200));
    expect(events).toEqual([]);
  });

  it('is not held, on the web-standard transport', async () => {
    const { post, runs, events } = await openWeb();
    const response = await post(CALL, { signal: AbortSignal.abort() });
    expect(response.status).toBe(200);
    await vi.waitFor(() => expect(runs()).toBe(1));
    await vi.waitFor(async () => expect((await post(PING)).status).toBe(200));
    expect(events).toEqual([]);
  });
});
