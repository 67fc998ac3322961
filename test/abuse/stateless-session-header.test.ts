import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPlayServer } from '../support/play-server.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

/** A transport without sessions, whose requests pass through `before`. */
async function open(before: (request: object) => Promise<void> = async () => undefined): Promise<string> {
  const transport = new StreamableHTTPServerTransport({});
  const server = createPlayServer(() => 'done');
  await server.connect(transport as never);
  const http = createServer(async (request, response) => {
    await before(request);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await server.close();
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

describe('[H7c] a transport without sessions', () => {
  it('has the bodies of requests that name a session looked into all the same', async () => {
    const url = await open();
    const body = JSON.stringify([ping(7), ping(7)]);
    const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, 'mcp-session-id': 'junk' }, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32600 } });
  });

  it.each([10, 50_000])('takes a body that the platform has read before, of %i bytes', async (length) => {
    const url = await open(async (request) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
      Object.assign(request, { rawBody: Buffer.concat(chunks) });
    });
    const body = JSON.stringify({ ...ping(1), params: { _meta: { padding: 'x'.repeat(length) } } });
    const response = await fetch(url, { method: 'POST', headers: HEADERS, body });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"result":{}');
  });

  it('takes a body that comes as text', async () => {
    const url = await open(
      async (request) => void (request as { setEncoding(name: string): void }).setEncoding('utf8'),
    );
    const response = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(ping(1)) });
    expect(response.status).toBe(200);
  });
});
