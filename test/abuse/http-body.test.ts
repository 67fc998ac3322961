import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, form } from '../support/asks.ts';
import { createPlayServer } from '../support/play-server.ts';
import { type FactorySettings, serveFactory } from '../support/serve-factory.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const TOO_LONG = {
  jsonrpc: '2.0',
  error: { code: -32600, message: 'The body of the request is too long' },
  id: null,
};

async function open(settings: FactorySettings = {}) {
  const served = await serveFactory(() => createPlayServer(() => ask({ who: form() })), settings);
  onTestFinished(() => served.close());
  const { peer, link } = served.connect();
  await peer.handshake();
  const post = (body: string | ReadableStream): Promise<Response> => {
    const headers = { ...HEADERS, 'mcp-session-id': link.sessionId ?? '' };
    return fetch(served.url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  };
  return { peer, post };
}

/** A ping of `length` bytes. */
function ping(length: number): string {
  const [head, tail] = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', params: { _meta: { p: '' } } }).split(
    '""',
  ) as [string, string];
  return `${head}"${'x'.repeat(length - head.length - tail.length - 2)}"${tail}`;
}

function chunked(body: string): ReadableStream {
  return new Blob([body]).stream() as ReadableStream;
}

const FRAMINGS = [
  ['with a content-length', (body: string): string | ReadableStream => body],
  ['in chunks', chunked],
] as const;

describe('an HTTP body that is no JSON', () => {
  it.each(['{"jsonrpc":', '', 'null'])('is answered by the transport, with a JSON-RPC error: %j', async (body) => {
    const { post } = await open();
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });
});

describe.each(FRAMINGS)('a long HTTP body, %s', (_name, framed) => {
  it('is read up to 4 MiB', async () => {
    const { post } = await open();
    const response = await post(framed(ping(4_194_304)));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('{"result":{},"jsonrpc":"2.0","id":7}');
  });

  it("gets SDK v1's own HTTP 413 beyond its limit", async () => {
    const { post } = await open();
    const response = await post(framed(ping(4_194_305)));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: -32000 } });
  });

  it('gets HTTP 413 unread beyond 16 MiB, and the session goes on', async () => {
    const { peer, post } = await open();
    const response = await post(framed(ping(16_777_217)));
    expect(response.status).toBe(413);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(TOO_LONG);
    await peer.request('ping', {}, 7);
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it('is served beyond that when it comes parsed', async () => {
    const { post } = await open({ isBodyParsed: true });
    const response = await post(framed(ping(5_000_000)));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('{"result":{},"jsonrpc":"2.0","id":7}');
  });
});

describe.each(FRAMINGS)('a long body on the web-standard transport, %s', (_name, framed) => {
  async function openWeb() {
    const transport = new WebStandardStreamableHTTPServerTransport();
    const server = createPlayServer(() => ask({ who: form() }));
    await server.connect(transport);
    onTestFinished(() => server.close());
    return (body: string, options?: { parsedBody: unknown }): Promise<Response> => {
      const init = { method: 'POST', headers: HEADERS, body: framed(body), duplex: 'half' } as RequestInit;
      return transport.handleRequest(new Request('http://127.0.0.1/mcp', init), options);
    };
  }

  it.each([1_048_577, 4_194_304])('is served: %i bytes', async (length) => {
    const post = await openWeb();
    const response = await post(ping(length));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('{"result":{},"jsonrpc":"2.0","id":7}');
  });

  it('gets HTTP 413 unread beyond 16 MiB', async () => {
    const post = await openWeb();
    const response = await post(ping(16_777_217));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(TOO_LONG);
  });

  it('is served beyond that when it comes parsed', async () => {
    const post = await openWeb();
    const body = ping(5_000_000);
    const response = await post(body, { parsedBody: JSON.parse(body) });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('{"result":{},"jsonrpc":"2.0","id":7}');
  });
});
