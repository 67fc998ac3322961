import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { FACES, initialize, modernEcho, openEndpoint, type SentRequest, TYPES } from './session-endpoint.ts';

const KEYS = { inputRequired: { requestState: { keys: '0123456789abcdef0123456789abcdef' } } };
const ERAS: readonly (readonly [string, SentRequest])[] = [
  ['handshake', { body: initialize(1) }],
  ['modern', modernEcho()],
];

const asRequest = (url: string, { headers, body }: SentRequest, more: Record<string, string> = {}): Request =>
  new Request(url, { method: 'POST', headers: { ...TYPES, ...headers, ...more }, body: JSON.stringify(body) });

describe.each(ERAS)('[M5a] the host of a request, without a Host header that of its URL (%s)', (_era, sent) => {
  const statusAt = async (url: string, options = {}, headers = {}): Promise<number> => {
    const { handler } = await openEndpoint(options);
    const response = await handler.fetch(asRequest(url, sent, headers));
    const text = await response.text();
    if (response.status === 403) {
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32000 } });
    }
    return response.status;
  };

  it.each(['http://localhost/mcp', 'http://LOCALHOST:3000/mcp', 'http://127.0.0.1:8080/', 'https://[::1]/mcp'])(
    'may be a loopback name: %s',
    async (url) => {
      expect(await statusAt(url)).toBe(200);
    },
  );

  it.each([
    'http://evil.example/mcp',
    'http://localhost.evil.example/mcp',
    'http://evil-localhost/mcp',
    'http://127.0.0.1.nip.io/mcp',
    'http://192.168.0.7/mcp',
    'http://0.0.0.0/mcp',
  ])('may be nothing else by default: %s', async (url) => {
    expect(await statusAt(url)).toBe(403);
  });

  it('is the one of the Host header, whatever the URL says', async () => {
    expect(await statusAt('http://localhost/mcp', {}, { host: 'evil.example' })).toBe(403);
    expect(await statusAt('http://internal.example/mcp', {}, { host: 'localhost:3000' })).toBe(200);
  });

  it.each(['a b', '', ':80', 'localhost:port', 'localhost, evil.example'])(
    'is refused when it is none: %j',
    async (host) => {
      expect(await statusAt('http://localhost/mcp', {}, { host })).toBe(403);
    },
  );

  it('is one of allowedHosts where they are given, on any port, and loopback names no more', async () => {
    const options = { ...KEYS, allowedHosts: ['mcp.example.com', '10.0.0.7', '[fd00::7]'] };
    for (const url of [
      'https://mcp.example.com/mcp',
      'http://MCP.example.com:81/',
      'http://10.0.0.7/',
      'http://[fd00::7]/',
    ]) {
      expect(await statusAt(url, options)).toBe(200);
    }
    for (const url of [
      'http://localhost/mcp',
      'http://a.mcp.example.com/mcp',
      'http://mcp.example.com.evil.example/',
    ]) {
      expect(await statusAt(url, options)).toBe(403);
    }
  });
});

describe.each(FACES)('a request from another host (through %s)', (face) => {
  it.each(['POST', 'GET', 'DELETE'])('is refused before a session is looked for: %s', async (method) => {
    const endpoint = await openEndpoint({ ...KEYS, allowedHosts: ['127.0.0.1'] }, { face });
    const { peer, streams } = await endpoint.open();
    const headers = { 'mcp-session-id': streams.sessionId ?? '', origin: 'https://evil.example' };
    const body = method === 'POST' ? initialize() : undefined;
    const response = await endpoint.send({ method, body, headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
    await peer.callTool('echo', { text: 'still here' });
    expect(await peer.next()).toMatchObject({ result: {} });
    expect(endpoint.handler.stats().sessions).toBe(1);
  });
});

describe.each(ERAS)('the Origin of a request (%s)', (_era, sent) => {
  const statusFrom = async (origin: string, options: Json = {}, url = 'http://localhost/mcp'): Promise<number> => {
    const endpoint = await openEndpoint(options);
    const response = await endpoint.handler.fetch(asRequest(url, sent, { origin }));
    await response.text();
    if (response.status !== 200) expect(endpoint.servers).toEqual([]);
    return response.status;
  };

  it.each(['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000'])(
    'may be a loopback name: %s',
    async (origin) => {
      expect(await statusFrom(origin)).toBe(200);
    },
  );

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'not an origin', 'file://'])(
    'may be nothing else by default: %s',
    async (origin) => {
      expect(await statusFrom(origin)).toBe(403);
    },
  );

  it('may be one of allowedHosts where they are given', async () => {
    const options = { ...KEYS, allowedHosts: ['mcp.example.com'] };
    expect(await statusFrom('https://mcp.example.com', options, 'https://mcp.example.com/mcp')).toBe(200);
    expect(await statusFrom('http://localhost', options, 'https://mcp.example.com/mcp')).toBe(403);
  });

  it('may be one of allowedOrigins where they are given, and no other', async () => {
    const options = { allowedOrigins: ['app.example.com'] };
    expect(await statusFrom('https://app.example.com:8443', options)).toBe(200);
    expect(await statusFrom('http://localhost', options)).toBe(403);
    expect(await statusFrom('https://evil.example', options)).toBe(403);
  });
});
