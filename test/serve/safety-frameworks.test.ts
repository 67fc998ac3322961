import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { read } from '../contract/quotes.ts';
import type { Json } from '../support/json.ts';
import { authOf } from '../support/open.ts';
import { Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { ADA, ASKABLE, echo, modern, modernEcho, TYPES, textOf } from './session-endpoint.ts';
import { createSessionServer, newLog, type ServerLog } from './session-server.ts';

// Of the examples, which have them.
const load = createRequire(new URL('../../packages/examples/package.json', import.meta.url));

type Next = () => void;
type Handle = (request: IncomingMessage & { body?: unknown }, response: ServerResponse, next: Next) => unknown;

interface Express {
  (): RequestListener & { use(handle: Handle): void; all(path: string, handle: Handle): void };
  json(): Handle;
}

interface Fastify {
  readonly server: { readonly address: () => unknown };
  all(path: string, handle: (request: Json, reply: Json) => unknown): void;
  addHook(name: 'onRequest', hook: (request: Json) => Promise<void>): void;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: string, parse: (request: unknown, payload: unknown, done: Next) => void): void;
  listen(options: { port: number; host: string }): Promise<string>;
  close(): Promise<void>;
}

async function listen(listener: RequestListener): Promise<URL> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

async function overExpress(handle: Handle, isParsed: boolean): Promise<URL> {
  const express = load('express') as Express;
  const app = express();
  if (isParsed) app.use(express.json());
  app.use((request, _response, next) => {
    Object.assign(request, authOf(request.headers));
    next();
  });
  app.all('/mcp', handle);
  return listen(app);
}

async function overFastify(handler: McpHandler, isParsed: boolean): Promise<URL> {
  const app = (load('fastify') as () => Fastify)();
  if (!isParsed) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done());
  }
  app.addHook('onRequest', async (request) => void Object.assign(request['raw'], authOf(request['headers'])));
  app.all('/mcp', async (request, reply) => {
    reply['hijack']();
    await handler.node(request['raw'], reply['raw'], request['body']);
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return new URL('/mcp', address);
}

function overHono(handler: McpHandler): Promise<URL> {
  const app = new Hono();
  app.all('/mcp', ({ req }) => {
    const { auth } = authOf(Object.fromEntries(req.raw.headers));
    return handler.fetch(req.raw, auth === undefined ? {} : { authInfo: auth });
  });
  return listen(getRequestListener(app.fetch));
}

const SETUPS: readonly (readonly [string, (handler: McpHandler) => Promise<URL>])[] = [
  [
    'node:http',
    (handler) => listen((request, response) => handler.node(Object.assign(request, authOf(request.headers)), response)),
  ],
  ['Express', (handler) => overExpress((request, response) => handler.node(request, response), false)],
  ['Express, where node is the handler itself', (handler) => overExpress(handler.node, false)],
  [
    'Express with express.json()',
    (handler) => overExpress((request, response) => handler.node(request, response, request.body), true),
  ],
  ['Fastify with its body parser', (handler) => overFastify(handler, true)],
  ['Fastify without one', (handler) => overFastify(handler, false)],
  ['Hono', (handler) => overHono(handler)],
];

function open(): { handler: McpHandler; log: ServerLog } {
  const log = newLog();
  const handler = createMcpHandler((context) => createSessionServer(log, context));
  return { handler, log };
}

describe.each(SETUPS)('[M5h] %s', (_name, serve) => {
  const opened = async () => {
    const { handler, log } = open();
    const url = await serve(handler);
    const client = new StreamClient(url);
    onTestFinished(async () => {
      await client.close();
      await handler.close();
    });
    return { handler, log, url, client, peer: new Peer(client, client.inbox) };
  };

  it('serves sessions, questions live, GET and DELETE', async () => {
    const { handler, peer, client } = await opened();
    await peer.handshake(ASKABLE);
    const get = await client.get();
    handler.notify.toolsChanged();
    expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await peer.callTool('ask');
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
    expect(await client.delete()).toBe(200);
    await get.ended;
    expect(handler.stats().sessions).toBe(0);
  });

  it('serves modern clients', async () => {
    const { url } = await opened();
    const { headers, body } = modernEcho();
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...TYPES, ...headers },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'hi' }] },
    });
  });

  it('has request.auth reach authInfo, of handlers and of the factory, in both eras', async () => {
    const { url, log, peer } = await opened();
    const caller = { 'x-test-caller': 'app/ada' };
    const params = { name: 'who', arguments: {} };
    const { headers, body } = modern('tools/call', params);
    const sent = { ...TYPES, ...headers, ...caller };
    const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    const auth = { token: 't', clientId: 'app', scopes: [], extra: { sub: 'ada', iss: 'https://issuer.test' } };
    expect(JSON.parse(textOf((await response.json()) as Json))).toEqual(auth);
    const clientInfo = { name: 'c', version: '1' };
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await peer.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening }, caller);
    await peer.next();
    await peer.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, caller);
    expect(JSON.parse(textOf(await peer.next()))).toEqual(auth);
    expect(log.contexts.map(({ era, authInfo }) => [era, authInfo])).toEqual([
      ['modern', auth],
      ['handshake', auth],
    ]);
  });

  it('[F15] refuses in JSON-RPC, with the id', async () => {
    const { url } = await opened();
    const response = await fetch(url, { method: 'POST', headers: TYPES, body: JSON.stringify(echo('hi', 'x')) });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 'x', error: { code: -32000 } });
  });
});

describe('Express with express.json() whose body is not handed on', () => {
  const MESSAGE =
    'The body of the request was read before the handler got it, by a body parser such as express.json(). ' +
    'Hand it on: handler.node(request, response, request.body), or handler.fetch(request, { parsedBody }).';

  it.each([
    [
      'called',
      (handler: McpHandler): Handle =>
        (request, response) =>
          handler.node(request, response),
    ],
    ['the handler itself', (handler: McpHandler): Handle => handler.node],
  ])('tells the client and the operator what to do: 500, and no hang, where node is %s', async (_how, handle) => {
    const errors: Error[] = [];
    const handler = createMcpHandler((context) => createSessionServer(newLog(), context), {
      onerror: (error) => errors.push(error),
    });
    onTestFinished(() => handler.close());
    const url = await overExpress(handle(handler), true);
    const { headers, body } = modernEcho();
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...TYPES, ...headers },
      body: JSON.stringify(body),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json']);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: MESSAGE } });
    expect(errors).toEqual([expect.objectContaining({ code: 'BODY_READ', message: MESSAGE })]);
    expect(read('docs/errors.md')).toContain(`### BODY_READ\n\n> ${MESSAGE}\n`);
  });

  it('serves what has no body: GET and DELETE', async () => {
    const { handler } = open();
    onTestFinished(() => handler.close());
    const url = await overExpress(handler.node, true);
    expect((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'x' } })).status).toBe(404);
  });
});

describe('node:http whose listener has answered already', () => {
  it('has onerror hear of it, and the promise that nobody awaits does not reject', async () => {
    const errors: Error[] = [];
    const handler = createMcpHandler((context) => createSessionServer(newLog(), context), {
      onerror: (error) => errors.push(error),
    });
    onTestFinished(() => handler.close());
    let served: Promise<void> | undefined;
    const url = await listen((request, response) => {
      response.writeHead(200).write('mine');
      served = handler.node(request, response);
    });
    const { headers, body } = modernEcho();
    const init = { method: 'POST', headers: { ...TYPES, ...headers }, body: JSON.stringify(body) };
    await expect(fetch(url, init).then((response) => response.text())).rejects.toThrow('terminated');
    await expect(served).resolves.toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' })]);
  });
});
