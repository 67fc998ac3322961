import type { IncomingMessage } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler as createOfficialHandler } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, COMPLETE, form, rootsList, said, serveScript, toolOf } from '../client/scripted-server.ts';
import { createOfficialServer } from '../interop/host-servers.ts';
import type { Json } from '../support/json.ts';
import { createServer, listen } from './doctor-asking-server.ts';
import { diagnose } from './doctor-diagnose.ts';

/** A server that is all right; `status` is what it answers in its place, 0 to hang up, undefined for nothing. */
async function serveBut(status: (request: IncomingMessage, body: Json) => number | undefined): Promise<string> {
  const handler = createMcpHandler(() => createServer({ runs: 0, agreed: 0 }), {
    inputRequired: { onEvent: () => undefined },
  });
  onTestFinished(() => handler.close());
  return listen(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = text === '' ? undefined : JSON.parse(text);
    const instead = status(request, body ?? {});
    if (instead === undefined) return handler.node(Object.assign(request, { body }), response, body);
    return instead === 0
      ? request.socket.destroy()
      : response.writeHead(instead, { 'content-type': 'text/html' }).end();
  });
}

const isStrange = ({ headers }: IncomingMessage) =>
  String(headers.host).includes('.invalid') || headers.origin !== undefined;

describe('a request under the name of another', () => {
  it.each([403, 400, 421])('is refused with HTTP %i', async (status) => {
    const url = await serveBut((request) => (isStrange(request) ? status : undefined));
    const { finding, verdicts } = await diagnose([url]);
    expect(verdicts).toMatchObject({ host: 'ok', origin: 'ok' });
    expect(finding('host')['seen']).toBe(`a request with the Host of another name is refused with HTTP ${status}`);
  });

  it.each([
    [429, 'it is answered with HTTP 429'],
    [500, 'it is answered with HTTP 500'],
    [0, 'it gets no answer (socket hang up)'],
  ])('is not refused where anything else came: %i', async (status, came) => {
    const url = await serveBut((request) => (isStrange(request) ? status : undefined));
    const { finding, verdicts } = await diagnose([url]);
    expect(verdicts).toMatchObject({ host: 'warning', origin: 'warning' });
    const what = 'a request with the Origin of another page';
    expect(finding('origin')['seen']).toBe(`it could not be told whether ${what} is refused: ${came}`);
  });

  it('tells nothing where one under its own name is refused too', async () => {
    let opened = 0;
    const url = await serveBut((_request, { method }) => {
      if (method !== 'initialize') return undefined;
      opened += 1;
      return opened > 6 ? 403 : undefined;
    });
    const { finding } = await diagnose([url]);
    expect(finding('host')).toMatchObject({ verdict: 'warning', page: 'docs/doctor.md#host' });
    expect(finding('host')['seen']).toContain('is refused: one of its own is answered with HTTP 403');
  });
});

describe('a server that opens once', () => {
  it('is a problem with the reason, in a finding too', async () => {
    let isOpen = false;
    const url = await listen(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { id, method } = text === '' ? ({} as Json) : (JSON.parse(text) as Json);
      const answer = (status: number, more: Json) =>
        response
          .writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...more }));
      if (method !== 'initialize') return answer(400, { error: { code: -32601, message: 'Unknown' } });
      if (isOpen) return answer(400, { error: { code: -32600, message: 'Server already initialized' } });
      isOpen = true;
      const serverInfo = { name: 'once', version: '1' };
      return answer(200, { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
    });
    const { exitCode, finding, clients } = await diagnose([url]);
    expect(exitCode).toBe(1);
    expect(clients('handshake')).toContain('none: problem (failed)');
    expect(finding('clients')).toMatchObject({
      verdict: 'problem',
      seen: 'does not open for handshake: none, form, url, all: Server already initialized',
    });
  });
});

describe('an official v2 server whose handshake is stateless', () => {
  it('has forgotten what its client declared, and is told to give sessions', async () => {
    const handle = toNodeHandler(createOfficialHandler(createOfficialServer));
    const url = await listen((request, response) => handle(request as never, response));
    const { call } = await diagnose([url], ['--call', 'plan']);
    const forgotten = { verdict: 'problem', outcome: 'error result', page: 'docs/serving.md#sessions' };
    expect(call('handshake', 'form')).toMatchObject(forgotten);
    expect(call('handshake', 'all')).toMatchObject(forgotten);
    expect(call('handshake', 'none')).toMatchObject({ verdict: 'ok' });
  });
});

describe('an answer to a call', () => {
  it('that is neither a stream nor JSON is told of, not taken for a stream', async () => {
    const url = await serveBut((_request, { method, params }) =>
      method === 'tools/call' && params['_meta'] === undefined ? 502 : undefined,
    );
    expect((await diagnose([url])).finding('json-response')).toMatchObject({
      verdict: 'warning',
      seen: 'a call of an unknown tool is answered with HTTP 502, text/html',
    });
  });
});

describe('a call that gets no answer', () => {
  it('is told of without an error code that nobody gave', async () => {
    const url = await serveBut((_request, { method, params }) =>
      method === 'tools/call' && params['name'] === 'form' ? 0 : undefined,
    );
    const { call } = await diagnose([url], ['--call', 'form']);
    expect(call('handshake', 'all')['outcome']).toBe('error');
    expect(call('handshake', 'all')['seen']).toMatch(/^error fetch failed: \w/);
  });
});

describe('a revision that is also in the query', () => {
  it('is hidden, and told apart from others', async () => {
    const url = await serveBut(() => undefined);
    const { exitCode, finding } = await diagnose([`${url}?v=2025-11-25`]);
    expect({ exitCode, finding: finding('initialize-revision') }).toEqual({
      exitCode: 0,
      finding: {
        id: 'initialize-revision',
        verdict: 'ok',
        seen: 'initialize with 2026-07-28 is answered with ***',
      },
    });
  });
});

describe('a redirect', () => {
  it('is told of with where it leads', async () => {
    const url = await listen((_request, response) =>
      response.writeHead(308, { location: 'https://mcp.example.com/v2' }).end(),
    );
    const { exitCode, finding } = await diagnose([url]);
    expect(exitCode).toBe(3);
    expect(finding('modern')['seen']).toBe('does not open: HTTP 308 to https://mcp.example.com/v2');
  });
});

describe('a modern server', () => {
  const listing = (params: Json) =>
    params['cursor'] === undefined ? [toolOf('first'), toolOf('ask')] : [toolOf(`tool-${params['cursor']}`)];

  it('whose list goes round in circles has a problem', async () => {
    const { url } = await serveScript(({ method, params }) => {
      const result = { ...COMPLETE, ttlMs: 0, cacheScope: 'private' };
      if (method === 'tools/list') return { result: { ...result, tools: listing(params), nextCursor: 'on' } };
      return method === 'server/discover' ? undefined : { error: { code: -32601, message: 'No' } };
    });
    const { finding, exitCode } = await diagnose([url.href]);
    expect({ exitCode, verdict: finding('pages')['verdict'] }).toEqual({ exitCode: 1, verdict: 'problem' });
    expect(finding('pages')['seen']).toBe(
      'modern: none, form, url, all: tools: page 2 has a nextCursor that was there before',
    );
  });

  it('hears a no to each question, whatever its key is, and of no roots', async () => {
    const requests = JSON.parse('{"__proto__":0,"roots":0}') as Json;
    for (const [key, value] of Object.entries({ ['__proto__']: form(), roots: rootsList })) {
      Object.defineProperty(requests, key, { value, enumerable: true });
    }
    const { url, toldOf } = await serveScript(({ method, params }) => {
      if (method === 'tools/call') return params['inputResponses'] === undefined ? ask(requests, 's') : said('done');
      if (method === 'server/discover' || method === 'tools/list') return undefined;
      return { error: { code: -32601, message: 'No' } };
    });
    const { call } = await diagnose([url.href], ['--call', 'ask']);
    expect(call('modern', 'all')).toMatchObject({ verdict: 'ok', seen: 'a result: done' });
    const heard = toldOf('tools/call').flatMap(({ params }) =>
      Object.entries((params['inputResponses'] ?? {}) as Json),
    );
    expect(heard).toContainEqual(['__proto__', { action: 'decline' }]);
    expect(heard).toContainEqual(['roots', { roots: [] }]);
  });

  it('that asks without a method is told of so', async () => {
    const { url } = await serveScript(({ method }) => {
      if (method === 'tools/call') return ask({ who: {} }, 's');
      if (method === 'server/discover' || method === 'tools/list') return undefined;
      return { error: { code: -32601, message: 'No' } };
    });
    const { call } = await diagnose([url.href], ['--call', 'ask']);
    expect(call('modern', 'all')).toMatchObject({ verdict: 'problem', questions: [{ kind: 'no method' }] });
  });
});
