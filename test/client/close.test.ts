import type { Socket } from 'node:net';
import { callTool, connectDualEra, type ReceivedAsk } from 'mcp-dual-era/client';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveModern } from '../serve/modern-session.ts';
import { listenNode } from '../serve/node-server.ts';
import { connectHost, createHost, textOf } from './host.ts';
import { createMatrixServer } from './matrix-servers.ts';
import { scriptedProcess } from './scripted-process.ts';
import { ask, calls, form, openStream, said, serveScript } from './scripted-server.ts';

const ASK = { name: 'ask', arguments: {} };
const never = (): Promise<never> => new Promise(() => undefined);

/** A promise, and what fulfils it. */
function gate(): { readonly passed: Promise<void>; readonly pass: () => void } {
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass: () => pass() };
}

/** A dialog that stays open until its signal is aborted. */
function openDialog() {
  const open = gate();
  const close = gate();
  const elicit = (_params: unknown, signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', close.pass);
    open.pass();
    return never();
  };
  return { elicit, opened: open.passed, closed: close.passed };
}

describe('[C2c] an open dialog', () => {
  it.each(['newest', 'oldest'] as const)(
    'closes when its call is aborted, and nothing is sent (%s SDK v1)',
    async (sdk) => {
      const server = await serveScript(calls(ask({ who: form() }, 's')));
      const { elicit, opened, closed } = openDialog();
      const { client } = await connectHost(server.url, { sdk, elicit });
      const abort = new AbortController();
      const call = client.callTool(ASK, undefined, { signal: abort.signal });
      await opened;
      abort.abort(new Error('Enough'));
      await expect(call).rejects.toThrow('Enough');
      await closed;
      expect(server.toldOf('tools/call')).toHaveLength(1);
    },
  );

  it('closes when its client is closed', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's')));
    const { elicit, opened, closed } = openDialog();
    const { client } = await connectHost(server.url, { elicit });
    const call = client.callTool(ASK);
    const ended = expect(call).rejects.toMatchObject({ code: -32000 });
    await opened;
    await client.close();
    await ended;
    await closed;
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });
});

describe('client.close()', () => {
  it('closes the listening stream and the calls under way', async () => {
    const served = await serveModern({ factory: 'features', options: { eras: 'modern' } });
    onTestFinished(() => served.close());
    const { client } = await connectHost(served.url);
    await client.subscribeResource({ uri: 'file:///cfg.json' });
    const call = expect(client.callTool({ name: 'wait', arguments: {} })).rejects.toMatchObject({ code: -32000 });
    await vi.waitFor(() => expect(served.reports.all).toContainEqual({ waiting: expect.anything() }));
    await client.close();
    await call;
    await vi.waitFor(() => expect(served.reports.all).toContainEqual({ aborted: true }));
    await vi.waitFor(() => expect(served.open.size).toBe(0));
  });

  it('leaves no connection in use', async () => {
    const open = new Set<Socket>();
    const server = await serveScript(
      ({ method, id, params }, response) => {
        const { socket } = response;
        if (method === 'subscriptions/listen' && socket !== null) {
          open.add(socket);
          response.once('close', () => open.delete(socket));
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
          openStream(response)({ method: 'notifications/subscriptions/acknowledged', params: { ...params, _meta } });
        }
        return undefined;
      },
      { capabilities: { resources: { subscribe: true } } },
    );
    const { client } = await connectHost(server.url);
    await client.subscribeResource({ uri: 'file:///a' });
    await client.subscribeResource({ uri: 'file:///b' });
    await vi.waitFor(() => expect(open.size).toBe(1));
    expect(server.toldOf('subscriptions/listen').map(({ params }) => params['notifications'])).toEqual([
      { resourceSubscriptions: ['file:///a'] },
      { resourceSubscriptions: ['file:///a', 'file:///b'] },
    ]);
    await client.close();
    await vi.waitFor(() => expect(open.size).toBe(0));
  });

  it.each(['modern', 'handshake'])('ends the process of the server: %s', async (behaviour) => {
    const { target, pids, expectGone } = scriptedProcess(behaviour);
    const { client } = await connectHost(target);
    expect(textOf(await client.callTool({ name: 'hello', arguments: {} }))).toBe('hello');
    await client.close();
    await expectGone();
    expect(pids().length).toBeGreaterThan(0);
  });

  it('ends what is being opened: a command that is still being probed', async () => {
    const { target, pids, expectGone } = scriptedProcess('silent');
    const { client } = createHost();
    const connected = expect(connectDualEra(client, target, { probeTimeout: 60_000 })).rejects.toThrow();
    await vi.waitFor(() => expect(pids()).toHaveLength(1), { timeout: 5_000 });
    await client.close();
    await connected;
    await expectGone();
  });

  it('ends what is being opened: a URL that is still being probed', async () => {
    const closed: string[] = [];
    const server = await serveScript(({ method }, response) => {
      response.once('close', () => closed.push(method));
      return never();
    });
    const { client } = createHost();
    const connected = expect(connectDualEra(client, server.url, { probeTimeout: 60_000 })).rejects.toThrow();
    await vi.waitFor(() => expect(server.told).toHaveLength(1));
    await client.close();
    await connected;
    await vi.waitFor(() => expect(closed).toEqual(['server/discover']));
  });

  it('can be called twice, and the client connects anew', async () => {
    const server = await serveScript(calls(said('hello')));
    const { client } = await connectHost(server.url);
    await client.close();
    await client.close();
    await connectDualEra(client, server.url);
    expect(textOf(await client.callTool(ASK))).toBe('hello');
  });

  it('tells onclose once', async () => {
    const server = await serveScript(calls(said('hello')));
    const { client } = await connectHost(server.url);
    let count = 0;
    client.onclose = () => {
      count += 1;
    };
    await client.close();
    expect(count).toBe(1);
  });
});

describe('a server that dies', () => {
  it.each([
    ['in mid-call', 'die'],
    ['between two rounds', 'ask'],
  ] as const)('%s ends the call, and tells onclose: over stdio', async (_when, name) => {
    const { target, expectGone } = scriptedProcess('modern');
    const { client } = await connectHost(target);
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    const error = await client.callTool({ name, arguments: {} }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'McpError', code: -32000 });
    expect(JSON.stringify([error.message, error.data])).not.toContain('a-secret-state');
    await closed;
    await expectGone();
    await expect(client.callTool({ name: 'hello', arguments: {} })).rejects.toThrow('Not connected');
  });

  it('between two rounds answered by hand ends the call', async () => {
    const { target, expectGone } = scriptedProcess('modern');
    const { client } = await connectHost(target, { options: { inputRequired: 'return' } });
    const { requestState } = (await callTool(client, ASK)) as ReceivedAsk;
    await expect(callTool(client, { ...ASK, inputResponses: {}, requestState })).rejects.toThrow(/closed/i);
    await expectGone();
  });

  it('while a person is asked closes the dialog', async () => {
    const { target, pids } = scriptedProcess('modern');
    const { elicit, opened, closed } = openDialog();
    const { client } = await connectHost(target, { elicit });
    const call = expect(client.callTool(ASK)).rejects.toMatchObject({ code: -32000 });
    await opened;
    for (const pid of pids().slice(-1)) process.kill(pid, 'SIGKILL');
    await call;
    await closed;
  });

  it('in mid-call ends the call: over HTTP, before it answers', async () => {
    const server = await serveScript(({ method }, response) => {
      if (method === 'tools/call') response.destroy();
      return undefined;
    });
    const { client } = await connectHost(server.url);
    await expect(client.callTool(ASK)).rejects.toMatchObject({ name: 'McpError' });
  });

  it('in mid-call ends the call: over HTTP, after its stream has begun', async () => {
    const server = await serveScript(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      openStream(response)({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
      setImmediate(() => response.destroy());
      return undefined;
    });
    const { client } = await connectHost(server.url);
    const call = client.callTool(ASK, undefined, { timeout: 2_000 });
    await expect(call).rejects.toMatchObject({ name: 'McpError', code: expect.not.closeTo(-32001) });
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it('ends the call when its stream ends without an answer', async () => {
    const server = await serveScript(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      openStream(response)({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
      response.end();
      return undefined;
    });
    const { client } = await connectHost(server.url);
    const call = client.callTool(ASK, undefined, { timeout: 2_000 });
    await expect(call).rejects.toMatchObject({ name: 'McpError', code: expect.not.closeTo(-32001) });
  });

  it('between two rounds ends the call: over HTTP', async () => {
    const server = await serveScript(({ method, params }, response) => {
      if (method !== 'tools/call') return undefined;
      if (!('inputResponses' in params)) return ask({ who: form() }, 'a-secret-state');
      response.destroy();
      return undefined;
    });
    const { client, asked } = await connectHost(server.url);
    const error = await client.callTool(ASK).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'McpError' });
    expect(error.message).not.toContain('a-secret-state');
    expect(asked).toEqual(['form Your name?']);
    expect(server.toldOf('tools/call')).toHaveLength(2);
  });

  it('leaves a client that can be used once it is back', async () => {
    let isBroken = true;
    const server = await serveScript(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      if (isBroken) response.destroy();
      return isBroken ? undefined : said('hello');
    });
    const { client } = await connectHost(server.url);
    await expect(client.callTool(ASK)).rejects.toThrow();
    isBroken = false;
    expect(textOf(await client.callTool(ASK))).toBe('hello');
  });
});

describe('a handshake server on HTTP', () => {
  it('has no session left once the client is closed', async () => {
    const handler = createMcpHandler(createMatrixServer, { eras: 'handshake' });
    const server = await listenNode((request, response) => handler.node(request, response));
    onTestFinished(async () => {
      await handler.close();
      await server.close();
    });
    const { client } = await connectHost(server.url);
    expect(handler.stats().sessions).toBe(1);
    expect((client.transport as { sessionId?: string }).sessionId).toEqual(expect.any(String));
    await client.close();
    // As SDK v1 alone: its close() sends no DELETE. What is open is closed with it.
    expect(handler.stats().holds.held).toBe(0);
  });
});
