import { createServer } from 'node:net';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { connectDualEra, type StdioTarget } from 'mcp-dual-era/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHost, textOf } from './host.ts';
import { scriptedProcess } from './scripted-process.ts';
import { type Reply, said, serveScript } from './scripted-server.ts';

const CALL = { name: 'hello', arguments: {} };

async function refusal(target: URL | StdioTarget, options?: Parameters<typeof connectDualEra>[2]) {
  const { client } = createHost();
  const error = await connectDualEra(client, target, options).then(
    ({ era }) => ({ message: `connected in the ${era} era` }),
    (thrown: unknown) => thrown,
  );
  await vi.waitFor(() => expect(client.transport).toBeUndefined());
  return error as Error & { code?: string; cause?: unknown };
}

describe('[C1b] a command that does not know server/discover', () => {
  it('is a server of the handshake era when it is silent for probeTimeout', async () => {
    const { target, pids, expectGone } = scriptedProcess('silent-before-handshake');
    const { client } = createHost();
    expect(await connectDualEra(client, target, { probeTimeout: 300 })).toEqual({ era: 'handshake' });
    expect(textOf(await client.callTool(CALL))).toBe('hello');
    // A fresh one, to which the handshake is the first message.
    expect(pids()).toHaveLength(2);
    await client.close();
    await expectGone();
  });

  it('is a server of the handshake era when it exits', async () => {
    const { target, pids, expectGone } = scriptedProcess('exits-before-handshake');
    const { client } = createHost();
    expect(await connectDualEra(client, target)).toEqual({ era: 'handshake' });
    expect(textOf(await client.callTool(CALL))).toBe('hello');
    expect(pids()).toHaveLength(2);
    await client.close();
    await expectGone();
  });

  it('leaves no first process behind while the second one serves', async () => {
    const { target, pids, expectGone } = scriptedProcess('silent-before-handshake');
    const { client } = createHost();
    await connectDualEra(client, target, { probeTimeout: 300 });
    const [first = 0] = pids();
    expect(() => process.kill(first, 0)).toThrow('ESRCH');
    await client.close();
    await expectGone();
  });

  it.each([
    ['silent-before-handshake', { probeTimeout: 300 }],
    ['silent', { probeTimeout: 300 }],
    ['no-json', { probeTimeout: 300 }],
    ['exits-before-handshake', {}],
    ['handshake', {}],
  ])("is NOT_MODERN with mode: 'modern', and nothing is left behind: %s", async (behaviour, options) => {
    const { target, expectGone } = scriptedProcess(behaviour);
    expect(await refusal(target, { mode: 'modern', ...options })).toMatchObject({
      name: 'DualEraError',
      code: 'NOT_MODERN',
      message: expect.stringContaining("mode: 'auto' or 'handshake'"),
    });
    await expectGone();
  });
});

describe('a command that is no server', () => {
  it.each([
    ['at the handshake', 'exits-at-handshake', 'auto'],
    ['at the handshake', 'exits-at-handshake', 'handshake'],
  ] as const)(
    'is CONNECT_FAILED when it exits %s, and nothing is left behind: %s, mode %j',
    async (_when, behaviour, mode) => {
      const { target, expectGone } = scriptedProcess(behaviour);
      expect(await refusal(target, { mode })).toMatchObject({ name: 'DualEraError', code: 'CONNECT_FAILED' });
      await expectGone();
    },
  );

  it('is CONNECT_FAILED when there is no such command', async () => {
    for (const mode of ['auto', 'modern', 'handshake'] as const) {
      expect(await refusal({ command: '/no/such/command' }, { mode })).toMatchObject({
        name: 'DualEraError',
        code: 'CONNECT_FAILED',
        message: expect.stringContaining('ENOENT'),
      });
    }
  });
});

describe('a URL that does not answer the probe', () => {
  it('is CONNECT_FAILED after probeTimeout, which the message names', async () => {
    const server = await serveScript(({ method }) =>
      method === 'server/discover' ? new Promise(() => undefined) : undefined,
    );
    const error = await refusal(server.url, { probeTimeout: 200 });
    expect(error).toMatchObject({ name: 'DualEraError', code: 'CONNECT_FAILED' });
    expect(error.message).toMatch(/timed out after 200 ?ms/);
    expect(error.message).toContain('probeTimeout');
    // No handshake behind it.
    expect(server.told.map(({ method }) => method)).toEqual(['server/discover']);
  });

  it.each(['auto', 'modern', 'handshake'] as const)(
    'is CONNECT_FAILED when nothing listens there, with the cause, and mode: %j',
    async (mode) => {
      const server = await serveScript(() => undefined);
      await server.close();
      const error = await refusal(server.url, { mode });
      expect(error).toMatchObject({ name: 'DualEraError', code: 'CONNECT_FAILED', cause: expect.any(Error) });
      expect(error.message).not.toContain('does not speak');
    },
  );

  it.each(['auto', 'modern'] as const)('is CONNECT_FAILED when the connection breaks, with mode: %j', async (mode) => {
    const broken = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void broken.close());
    const { port } = broken.address() as { port: number };
    expect(await refusal(new URL(`http://127.0.0.1:${port}/mcp`), { mode })).toMatchObject({ code: 'CONNECT_FAILED' });
  });

  it.each([
    [500, 'auto'],
    [503, 'auto'],
    [500, 'modern'],
  ] as const)('is CONNECT_FAILED on HTTP %i, with mode: %j, and nothing more is sent', async (status, mode) => {
    const server = await serveScript(() => ({ status, raw: 'out of order' }));
    expect(await refusal(server.url, { mode })).toMatchObject({ name: 'DualEraError', code: 'CONNECT_FAILED' });
    expect(server.told).toHaveLength(1);
  });

  it.each([
    ['no JSON', { raw: '<html>' }],
    ['an empty text', { raw: '' }],
    ['another answer', { raw: '{"jsonrpc":"2.0","id":"other","result":{}}' }],
  ])('is CONNECT_FAILED when it answers with %s', async (_name, reply: Reply) => {
    const server = await serveScript(({ method }) => (method === 'server/discover' ? reply : { status: 400, raw: '' }));
    expect(await refusal(server.url, { probeTimeout: 300 })).toMatchObject({
      name: 'DualEraError',
      code: 'CONNECT_FAILED',
    });
  });
});

describe('a server that wants authorization', () => {
  it.each([
    [401, 'auto'],
    [403, 'auto'],
    [401, 'modern'],
    [403, 'modern'],
    [401, 'handshake'],
    [403, 'handshake'],
  ] as const)('is UNAUTHORIZED on HTTP %i, with mode: %j, and nothing more is sent', async (status, mode) => {
    const server = await serveScript(() => ({ status, raw: '' }));
    const error = await refusal(server.url, { mode });
    expect(error).toMatchObject({ name: 'DualEraError', code: 'UNAUTHORIZED', cause: expect.any(Error) });
    expect(error.message).toMatch(status === 401 ? /authProvider.+requestInit\.headers/ : /token/);
    expect(server.told).toHaveLength(1);
  });

  it('gets the headers of requestInit with every request', async () => {
    const server = await serveScript(({ method, headers }) => {
      if (headers.authorization !== 'Bearer a-token') return { status: 401, raw: '' };
      return method === 'tools/call' ? said('hello') : undefined;
    });
    const { client } = createHost();
    await connectDualEra(client, { url: server.url, requestInit: { headers: { authorization: 'Bearer a-token' } } });
    expect(textOf(await client.callTool(CALL))).toBe('hello');
  });

  const providerOf = (token: string): OAuthClientProvider => ({
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => undefined,
    tokens: () => ({ access_token: token, token_type: 'Bearer' }),
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  });

  it.each(['auto', 'handshake'] as const)("gets the token of SDK v1's authProvider, with mode: %j", async (mode) => {
    let given: string | undefined;
    const server = await serveScript(({ headers }) => {
      given = headers.authorization;
      return { status: 500, raw: '' };
    });
    const { client } = createHost();
    const target = { url: server.url, authProvider: providerOf('a-token') };
    await expect(connectDualEra(client, target, { mode })).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    expect(given).toBe('Bearer a-token');
  });

  it('is UNAUTHORIZED when it refuses the token of the authProvider', async () => {
    const server = await serveScript(() => ({ status: 403, raw: '' }));
    const { client } = createHost();
    const target = { url: server.url, authProvider: providerOf('secret-token') };
    const error = await connectDualEra(client, target).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'DualEraError', code: 'UNAUTHORIZED' });
    expect(JSON.stringify([error.message, error])).not.toContain('secret-token');
  });

  it('never shows a token in an error', async () => {
    const server = await serveScript(() => ({ status: 403, raw: '' }));
    const { client } = createHost();
    const requestInit = { headers: { authorization: 'Bearer secret-token' } };
    const error = await connectDualEra(client, { url: server.url, requestInit }).catch((thrown) => thrown);
    expect(JSON.stringify([error.message, error, error.cause?.message, error.cause])).not.toContain('secret-token');
  });
});

describe('the options of a URL', () => {
  it('use the fetch that they are given, for all there is', async () => {
    const server = await serveScript(({ method }) => (method === 'tools/call' ? said('hello') : undefined));
    const fetched: string[] = [];
    const { client } = createHost();
    const given = (url: string | URL, init?: RequestInit) => {
      fetched.push(JSON.parse(String(init?.body ?? '{}')).method);
      return fetch(url, init);
    };
    await connectDualEra(client, { url: server.url.href, fetch: given });
    await client.callTool(CALL);
    expect(fetched).toEqual(expect.arrayContaining(['server/discover', 'tools/call']));
    expect(fetched).toHaveLength(server.told.length);
  });
});

describe('a server of other revisions', () => {
  it('is CONNECT_FAILED when it speaks a later one alone, which the message names', async () => {
    const server = await serveScript(() => ({
      error: { code: -32022, message: 'No', data: { supported: ['2099-01-01'], requested: '2026-07-28' } },
    }));
    const error = await refusal(server.url);
    expect(error).toMatchObject({ name: 'DualEraError', code: 'CONNECT_FAILED' });
    expect(JSON.stringify([error.message, error.cause])).toContain('2099-01-01');
    expect(server.told).toHaveLength(1);
  });

  it("is NOT_MODERN with mode: 'modern' when it speaks earlier ones alone", async () => {
    const server = await serveScript(() => ({
      error: { code: -32022, message: 'No', data: { supported: ['2025-11-25'], requested: '2026-07-28' } },
    }));
    expect(await refusal(server.url, { mode: 'modern' })).toMatchObject({ code: 'NOT_MODERN' });
  });
});
