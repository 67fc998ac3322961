import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { echo, initialize, modernEcho, openEndpoint, TYPES } from './session-endpoint.ts';

const post = (body: Json | string, headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...TYPES, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('fetch alone', () => {
  it('is bound: it can be passed around', async () => {
    const { handler } = await openEndpoint();
    const { fetch } = handler;
    const { headers, body } = modernEcho();
    const response = await fetch(post(body as Json, headers));
    expect(await response.json()).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('takes a body that is parsed, and leaves that of the request unread', async () => {
    const { handler } = await openEndpoint();
    const { headers, body } = modernEcho();
    const request = post(body as Json, headers);
    const response = await handler.fetch(request, { parsedBody: body });
    expect(await response.json()).toMatchObject({ result: { resultType: 'complete' } });
    const opening = post(initialize());
    const opened = await handler.fetch(opening, { parsedBody: initialize() });
    expect(await opened.text()).toContain('"protocolVersion":"2025-11-25"');
    expect([request.bodyUsed, opening.bodyUsed]).toEqual([false, false]);
  });

  it('tells the client and the operator where the body of the request was read before', async () => {
    const { handler, errors } = await openEndpoint();
    const { headers, body } = modernEcho();
    const request = post(body as Json, headers);
    const parsedBody: unknown = await request.json();
    const response = await handler.fetch(request);
    const message = expect.stringMatching(/or handler\.fetch\(request, \{ parsedBody \}\)\.$/);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32603, message } });
    expect(errors).toEqual([expect.objectContaining({ code: 'BODY_READ', message })]);
    expect((await handler.fetch(request, { parsedBody })).status).toBe(200);
  });

  it('takes authInfo from its options, and from no header', async () => {
    const endpoint = await openEndpoint();
    const authInfo = { token: 't', clientId: 'app', scopes: [] };
    const opened = await endpoint.handler.fetch(post(initialize()), { authInfo });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const own = await endpoint.handler.fetch(post(echo(), session), { authInfo });
    expect(own.status).toBe(200);
    await own.text();
    const forged = { ...session, authorization: 'Bearer t', 'x-client-id': 'app' };
    expect((await endpoint.handler.fetch(post(echo(), forged))).status).toBe(404);
  });

  it('answers a body that breaks off with 400', async () => {
    const { handler } = await openEndpoint();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
      pull: (controller) => controller.error(new Error('the client is gone')),
    });
    const init = { method: 'POST', headers: TYPES, body, duplex: 'half' };
    const response = await handler.fetch(new Request('http://localhost/mcp', init as RequestInit));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  });

  it('ends the stream of a session when its request is aborted', async () => {
    const endpoint = await openEndpoint();
    const { streams } = await endpoint.open();
    const abort = new AbortController();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': streams.sessionId ?? '' };
    const first = await endpoint.handler.fetch(new Request('http://localhost/mcp', { headers, signal: abort.signal }));
    expect(first.status).toBe(200);
    abort.abort();
    await vi.waitFor(async () => {
      const second = await endpoint.handler.fetch(new Request('http://localhost/mcp', { headers }));
      await second.body?.cancel();
      expect(second.status).toBe(200);
    });
  });
});
