import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CompleteRequestSchema, InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputRequired } from 'mcp-dual-era';
import type { ServerFactory } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { serveInProcess } from './in-process-server.ts';
import { CLIENT_INFO, plain } from './malformed-request.ts';
import { callOf } from './modern-message.ts';
import { claiming, OPENING, refusalOf } from './open-vector-server.ts';
import { initialize, modern, modernEcho, openEndpoint, textOf } from './session-endpoint.ts';

const INFO = { name: 'broken', version: '1' };
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

/** A server that has the tool `run`, or breaks. */
function createServer(run: (server: Server, send: (notification: Json) => Promise<void>) => unknown): McpServer {
  const server = new McpServer(INFO, { capabilities: { logging: {} } });
  server.registerTool('run', {}, async (_extra) =>
    text(String(await run(server.server, (notification) => _extra.sendNotification(notification as never)))),
  );
  return server;
}

/** `factory` on a pipe; `run` calls its tool. */
function pipe(factory: ServerFactory) {
  const { peer, close } = serveInProcess(factory);
  const run = async (said: object = {}): Promise<Json> => {
    await peer.send(callOf('run', {}, said));
    return peer.next();
  };
  return { peer, run, close };
}

const RUN = modern('tools/call', { name: 'run', arguments: {} });

describe('a server that does not connect', () => {
  const unconnectable = (closed: string[] = []): McpServer => {
    const server = createServer(() => 'never');
    server.connect = () => Promise.reject(new Error('no such pipe'));
    server.close = async () => void closed.push('closed');
    return server;
  };

  it.each([
    ['a modern request', modernEcho('hi', 3)],
    ['initialize', { body: initialize(3) }],
  ])('fails %s with 500, and is closed', async (_name, sent) => {
    const closed: string[] = [];
    const endpoint = await openEndpoint({}, { factory: () => unconnectable(closed) });
    const response = await endpoint.send(sent);
    expect([response.status, await response.json()]).toMatchObject([500, { id: 3, error: { code: -32603 } }]);
    expect(endpoint.errors.map(({ message }) => message)).toContain('no such pipe');
    expect(closed).toEqual(['closed']);
  });

  it('fails a modern request on a pipe, and is closed; the next one has a server of its own', async () => {
    const closed: string[] = [];
    let count = 0;
    const { run, close } = pipe(() => (count++ === 0 ? unconnectable(closed) : createServer(() => 'fine')));
    expect(await run()).toMatchObject({ error: { code: -32603 } });
    expect(closed).toEqual(['closed']);
    expect(textOf(await run())).toBe('fine');
    await close();
  });

  it('takes no place from the sessions of others', async () => {
    let count = 0;
    const factory = () => (count++ === 0 ? unconnectable() : createServer(() => 'fine'));
    const endpoint = await openEndpoint({ sessions: { max: 1 } }, { factory });
    expect((await endpoint.send({ body: initialize() })).status).toBe(500);
    expect((await endpoint.connect().peer.handshake())['result'].serverInfo).toEqual(INFO);
  });

  it('is kept by nobody', async () => {
    const servers: WeakRef<McpServer>[] = [];
    const endpoint = await openEndpoint(
      // An error that is kept would keep what it was thrown in.
      { onerror: () => undefined },
      {
        factory: () => {
          const server = unconnectable();
          servers.push(new WeakRef(server));
          return server;
        },
      },
    );
    for (let count = 0; count < 50; count += 1) await (await endpoint.send(modernEcho())).text();
    for (let count = 0; count < 3; count += 1) {
      await settle();
      collectGarbage();
    }
    expect(servers.filter((server) => server.deref() !== undefined).length).toBeLessThan(10);
  });
});

describe('a server that refuses its client', () => {
  const picky = (): McpServer => {
    const server = createServer(() => 'welcome');
    const protocol = server.server;
    protocol.setRequestHandler(InitializeRequestSchema, async ({ params: { protocolVersion, clientInfo } }) => {
      if (clientInfo.name === 'unwanted') throw new Error('unwanted');
      return { protocolVersion, serverInfo: INFO, capabilities: { tools: {} } };
    });
    return server;
  };
  const UNWANTED = { meta: { [CLIENT_INFO]: { name: 'unwanted', version: '1' } } };

  it('fails its request, and is closed', async () => {
    const closed: string[] = [];
    const factory = (): McpServer => {
      const server = picky();
      server.server.onclose = () => void closed.push('closed');
      return server;
    };
    const endpoint = await openEndpoint({}, { factory });
    const response = await endpoint.send({ ...RUN, body: callOf('run', {}, { id: 3, ...UNWANTED }) });
    expect([response.status, await response.json()]).toMatchObject([500, { id: 3, error: { code: -32603 } }]);
    expect(endpoint.errors.map(({ message }) => message).join()).toContain('unwanted');
    expect(closed).toEqual(['closed']);
  });

  it('serves the others on the same pipe', async () => {
    const { run, close } = pipe(picky);
    expect(textOf(await run())).toBe('welcome');
    expect(await run(UNWANTED)).toMatchObject({ error: { code: -32603 } });
    expect(textOf(await run())).toBe('welcome');
    await close();
  });

  it('is closed where that client opens the pipe, and the next one has a server of its own', async () => {
    const told: string[] = [];
    const { run, close } = pipe(() => {
      const server = picky();
      told.push('made');
      server.server.onclose = () => void told.push('closed');
      return server;
    });
    expect(await run(UNWANTED)).toMatchObject({ error: { code: -32603 } });
    expect(told).toEqual(['made', 'closed']);
    expect(textOf(await run())).toBe('welcome');
    await close();
    expect(told).toEqual(['made', 'closed', 'made', 'closed']);
  });
});

describe('a server that the factory hands out again', () => {
  const asking = () =>
    createServer((server) =>
      server.elicitInput({ message: 'Name?', requestedSchema: { type: 'object', properties: {} } }).then(
        ({ action }) => action,
        (error: Error) => error.message,
      ),
    );

  it('is served each time as the first time', async () => {
    const server = asking();
    const endpoint = await openEndpoint({}, { factory: () => server });
    for (let count = 0; count < 2; count += 1) {
      const { error } = (await (await endpoint.send(RUN)).json()) as Json;
      expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('inputRequired') });
    }
  });

  it('asks its own client once its author connects it elsewhere', async () => {
    const server = asking();
    const endpoint = await openEndpoint({}, { factory: () => server });
    await (await endpoint.send(RUN)).text();
    const [here, there] = InMemoryTransport.createLinkedPair();
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const client = new Client(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }));
    await Promise.all([server.connect(here), client.connect(there)]);
    expect((await client.callTool({ name: 'run', arguments: {} }))['content']).toEqual(text('decline').content);
    await client.close();
  });
});

describe('a factory that fails at an initialize on a pipe', () => {
  it('pins no era: the versions of a modern connection after it are looked at', async () => {
    const { peer, run, close } = pipe(({ era }) => {
      if (era === 'handshake') throw new Error('no database');
      return createServer(() => 'fine');
    });
    await peer.send(plain('initialize', OPENING));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(textOf(await run())).toBe('fine');
    await peer.send(claiming('2099-01-01', 'tools/call'));
    expect(await peer.next()).toMatchObject(refusalOf('2099-01-01'));
    await close();
  });
});

describe('a handler of another method that asks', () => {
  it('is an error that says who may, and an event', async () => {
    const factory = (): Server => {
      const server = new Server(INFO, { capabilities: { completions: {} } });
      const roots = inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      server.setRequestHandler(CompleteRequestSchema, async () => roots as never);
      return server;
    };
    const endpoint = await openEndpoint({}, { factory });
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
    const response = await endpoint.send(modern('completion/complete', params, { capabilities: { roots: {} } }));
    const mistake = 'only the handlers of tools/call, prompts/get and resources/read may return an ask';
    expect(((await response.json()) as Json)['error']).toEqual({
      code: -32603,
      message: `completion/complete cannot ask: ${mistake}`,
    });
    expect(endpoint.events).toEqual([{ type: 'error', message: mistake, method: 'completion/complete', target: '' }]);
  });
});

describe('a notification that cannot be sent', () => {
  it('rejects in the handler where the server has not declared it, which goes on', async () => {
    const factory = () => createServer((server) => server.sendResourceUpdated({ uri: 'a:b' }).catch(String));
    const endpoint = await openEndpoint({}, { factory });
    expect(textOf((await (await endpoint.send(RUN)).json()) as Json)).toMatch(/does not support.+resource/);
  });

  it('rejects in the handler where it is no JSON, which goes on', async () => {
    const cyclic: Json = {};
    cyclic['itself'] = cyclic;
    const params = { progressToken: 1, progress: 1, cyclic };
    const factory = () =>
      createServer((_server, send) =>
        send({ method: 'notifications/progress', params }).then(
          () => 'sent',
          (error: Error) => error.name,
        ),
      );
    const { run, close } = pipe(factory);
    expect(textOf(await run())).toBe('TypeError');
    await close();
  });
});
