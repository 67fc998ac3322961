import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler as createOfficialHandler } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOfficialServer } from '../interop/host-servers.ts';
import { createServer, listen, servePlain } from './doctor-asking-server.ts';
import { diagnose } from './doctor-diagnose.ts';

const KINDS = ['none', 'form', 'url', 'all'];

describe('a server of SDK v1 over HTTP', () => {
  it('with sessions has a way to ask; that it answers to any name is a problem on loopback', async () => {
    const { exitCode, verdicts, clients, finding } = await diagnose([await servePlain()]);
    expect(exitCode).toBe(1);
    expect(verdicts).toMatchObject({
      handshake: 'ok',
      modern: 'warning',
      sessions: 'ok',
      'json-response': 'ok',
      host: 'problem',
      origin: 'problem',
      'same-lists': 'ok',
    });
    expect(finding('host')['cure']).toContain('allowedHosts of mcp-dual-era/serve');
    expect(clients('handshake')).toEqual([...KINDS.map((client) => `${client}: ok`), 'stateless: ok (refused)']);
    expect(clients('modern')).toEqual(KINDS.map((client) => `${client}: warning (refused)`));
  });

  it('without sessions opens, and has no way to ask', async () => {
    const url = await servePlain({ http: { sessionIdGenerator: undefined } });
    const { verdicts, clients, call } = await diagnose([url], ['--call', 'push']);
    expect(verdicts).toMatchObject({ handshake: 'ok', sessions: 'warning', 'json-response': 'ok', call: 'problem' });
    expect(clients('handshake')).toEqual([
      'none: ok',
      'form: problem',
      'url: ok',
      'all: problem',
      'stateless: problem',
    ]);
    expect(call('handshake', 'all')).toMatchObject({
      seen: 'an error result: Client does not support form elicitation.',
      page: 'docs/serving.md#sessions',
    });
  });

  it('that answers with plain JSON is told so', async () => {
    const { verdicts, finding } = await diagnose([await servePlain({ http: { enableJsonResponse: true } })]);
    expect(verdicts).toMatchObject({ handshake: 'ok', sessions: 'ok', 'json-response': 'warning', clients: 'ok' });
    expect(finding('json-response')['cure']).toBe('leave enableJsonResponse off, so that calls have a stream');
  });

  it('that returns its question without a wrapper is told so', async () => {
    const { call } = await diagnose([await servePlain()], ['--call', 'form']);
    expect(call('handshake', 'all')).toMatchObject({ verdict: 'problem', outcome: 'not-wrapped', questions: [] });
  });
});

describe('an official v2 server of the modern era alone', () => {
  it('is opened there; that it has no handshake is a warning', async () => {
    const handle = toNodeHandler(createOfficialHandler(createOfficialServer, { legacy: 'reject' }));
    const url = await listen((request, response) => handle(request as never, response));
    const { verdicts, clients, call, finding } = await diagnose([url], ['--call', 'plan']);
    expect(verdicts).toMatchObject({
      handshake: 'warning',
      modern: 'ok',
      'broken-claim': 'ok',
      'unknown-method': 'ok',
      'unknown-tool': 'ok',
      'same-lists': 'ok',
    });
    expect(finding('handshake')['seen']).toContain('clients on revisions up to 2025-11-25 are not served: HTTP 400');
    expect(clients('modern')).toEqual(KINDS.map((client) => `${client}: ok`));
    expect(call('modern', 'form')['questions'][0]).toMatchObject({ kind: 'form', message: 'Plan the release.' });
    expect(call('modern', 'form')).toMatchObject({ outcome: 'result', seen: 'a result: null' });
    expect(call('modern', 'url')).toMatchObject({ outcome: 'unsupported', verdict: 'ok' });
  });
});

describe('what is no MCP server', () => {
  it.each([
    ['a page that is not there', 404, 'HTTP 404, text/html'],
    ['a page', 200, 'HTTP 200, text/html'],
    ['a closed door', 401, 'HTTP 401, text/html'],
    ['something broken', 500, 'HTTP 500, text/html'],
  ])('is told so, and the doctor ends with 3: %s', async (_what, status, seen) => {
    const url = await listen((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Hello</h1>'),
    );
    const { exitCode, finding, report } = await diagnose([url]);
    expect(exitCode).toBe(3);
    expect(report['findings']).toHaveLength(2);
    expect(finding('handshake')['seen']).toBe(`does not open: ${seen}`);
    expect(finding('modern')['seen']).toBe(`does not open: ${seen}`);
  });

  it('is given up when it says nothing', async () => {
    const url = await listen(() => undefined);
    const { exitCode, finding } = await diagnose([url], ['--timeout', '200ms']);
    expect(exitCode).toBe(3);
    expect(finding('handshake')['seen']).toBe('does not open: no answer within 200 ms');
  });
});

describe('the headers of the person', () => {
  it('go with every request, and are not told, even where the server tells them', async () => {
    const handler = createMcpHandler(() => createServer({ runs: 0, agreed: 0 }));
    onTestFinished(() => handler.close());
    const without: string[] = [];
    const url = await listen((request, response) => {
      const { authorization = '', 'x-team': team } = request.headers;
      if (authorization !== 'Bearer very-secret-token' || team !== 'blue') without.push(`${request.method}`);
      const isList =
        request.headers['mcp-method'] === 'tools/list' && request.headers['mcp-protocol-version'] !== '2099-01-01';
      if (!isList) return handler.node(request, response);
      return response.writeHead(500).end(`no list for ${authorization} at ${request.url}`);
    });
    const headers = ['--header', 'Authorization: Bearer very-secret-token', '--header', 'X-Team: blue'];
    const { report, stderr, finding } = await diagnose([`${url}?key=another-secret`], [...headers, '--verbose']);
    expect(without).toEqual([]);
    expect(report['target']).toBe(`${url}?...`);
    expect(finding('declared')['seen']).toContain('no list for *** at /mcp?key=***');
    expect(JSON.stringify(report) + stderr).not.toMatch(/secret/);
  });

  it('do not follow where the server sends elsewhere', async () => {
    const met: unknown[] = [];
    const elsewhere = await listen((request, response) => {
      met.push(request.headers['x-team']);
      response.end();
    });
    const handler = createMcpHandler(() => createServer({ runs: 0, agreed: 0 }));
    onTestFinished(() => handler.close());
    const url = await listen((request, response) => {
      if (request.headers['mcp-method'] !== 'tools/list') return handler.node(request, response);
      return response.writeHead(307, { location: elsewhere }).end();
    });
    const { exitCode } = await diagnose([url], ['--header', 'X-Team: blue']);
    expect({ exitCode, met }).toEqual({ exitCode: 1, met: [] });
  });
});
