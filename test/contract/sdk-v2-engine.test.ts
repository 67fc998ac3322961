/** What the modern leg leans on in the official SDK v2, beyond what its documentation says. */
import { createRequire } from 'node:module';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  InMemoryTransport,
  McpServer,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';

const require = createRequire(import.meta.url);
const INFO = { name: 'pin', version: '1' };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function requestOf(method: string, params: Json, headers: Record<string, string> = {}): Request {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } });
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...headers,
    },
    body,
  });
}

async function answerOf(factory: McpServerFactory, request: Request): Promise<[status: number, answer: Json]> {
  const response = await createMcpHandler(factory, { legacy: 'reject' }).fetch(request);
  return [response.status, (await response.json()) as Json];
}

/** The version of the package whose entry `name` resolves to. */
function versionOf(name: string): string {
  const main = require.resolve(name);
  return require(`${main.slice(0, main.indexOf('/dist/'))}/package.json`).version;
}

describe('SDK v2, server 2.4.0 and node 2.1.2: what the modern leg leans on', () => {
  it('is the version that this suite says it is', () => {
    expect(versionOf('@modelcontextprotocol/server')).toBe('2.4.0');
    expect(versionOf('@modelcontextprotocol/node')).toBe('2.1.2');
  });

  it('hands the very request it was given to the factory', async () => {
    const request = requestOf('tools/list', {});
    let seen: unknown;
    await answerOf(({ requestInfo }) => {
      seen = requestInfo;
      return new McpServer(INFO, { capabilities: { tools: {} } });
    }, request);
    expect(seen).toBe(request);
  });

  it('asks toolInputSchemaJson of a product for the arguments of a call that have headers', async () => {
    class Product extends McpServer {
      override toolInputSchemaJson(name: string): Json {
        return { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': `${name}-Region` } } };
      }
    }
    const call = { name: 'deploy', arguments: { region: 'eu' } };
    const factory = () => {
      const product = new Product(INFO);
      product.server.fallbackRequestHandler = async () => ({ content: [] });
      return product;
    };
    const named = { 'mcp-name': 'deploy' };
    expect(await answerOf(factory, requestOf('tools/call', call, named))).toMatchObject([
      400,
      { error: { code: -32020 } },
    ]);
    const headers = { ...named, 'mcp-param-deploy-region': 'eu' };
    expect(await answerOf(factory, requestOf('tools/call', call, headers))).toMatchObject([200, { result: {} }]);
  });

  it('asks the fallback handler for every method without a handler, and stamps what it gives', async () => {
    const factory = () => {
      const product = new McpServer(INFO);
      product.server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => ({
        method,
        params,
        envelope: mcpReq.envelope,
      });
      return product;
    };
    const [status, { result }] = await answerOf(factory, requestOf('vendor/x', { a: 1 }));
    expect([status, result]).toEqual([
      200,
      {
        resultType: 'complete',
        method: 'vendor/x',
        params: { a: 1 },
        envelope: ENVELOPE,
        _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
      },
    ]);
  });

  it('answers 404 where there is no handler at all, and where the revision has no such method', async () => {
    const bare = () => new McpServer(INFO);
    expect(await answerOf(bare, requestOf('vendor/x', {}))).toMatchObject([404, { error: { code: -32601 } }]);
    const willing = () => {
      const product = new McpServer(INFO);
      product.server.fallbackRequestHandler = async () => ({});
      return product;
    };
    expect(await answerOf(willing, requestOf('logging/setLevel', {}))).toMatchObject([
      404,
      { error: { code: -32601 } },
    ]);
  });

  it('closes the product of a listener once it has read its capabilities', async () => {
    let closed = 0;
    class Product extends McpServer {
      override async close(): Promise<void> {
        closed += 1;
        await super.close();
      }
    }
    const handler = createMcpHandler(() => new Product(INFO, { capabilities: { tools: { listChanged: true } } }));
    const response = await handler.fetch(
      requestOf('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    expect([response.status, closed]).toEqual([200, 1]);
    await handler.close();
  });

  it('publishes to listeners before publish returns', () => {
    const heard: string[] = [];
    const bus = new InMemoryServerEventBus();
    bus.subscribe(({ kind }) => void heard.push(kind));
    bus.publish({ kind: 'tools_list_changed' });
    expect(heard).toEqual(['tools_list_changed']);
  });

  it('does no more with a product of the handshake era on stdio than to connect and close it', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const touched: PropertyKey[] = [];
    const product = new Proxy(
      { connect: async () => undefined, close: async () => undefined },
      {
        get: (target, name) => {
          touched.push(name);
          return Reflect.get(target, name);
        },
      },
    );
    const handle = serveStdio(() => product as never, { transport: far });
    await near.start();
    await near.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
    });
    await new Promise((resolve) => setImmediate(resolve));
    await handle.close();
    // `then`, since the factory's result is awaited; the class test asks for its prototype, which is no member.
    expect([...new Set(touched)]).toEqual(['then', 'connect', 'close']);
  });
});
