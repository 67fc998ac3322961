/** What the bridge leans on in SDK v1, at both ends of the supported range. */
import { describe, expect, it } from 'vitest';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { SDK_VERSIONS, sdkNamed } from '../support/sdk.ts';

const INFO = { name: 'pin', version: '1' };

describe.each(['newest', 'oldest'] as const)('SDK v1, %s: what the bridge leans on', (sdk) => {
  const { McpServer } = sdkNamed(sdk);

  async function callTool(server: InstanceType<typeof McpServer>, name: string): Promise<Json> {
    const { near, close } = await connectMemory(server.server, sdk);
    const answer = new Promise<Json>((resolve) => {
      near.onmessage = (message) => resolve(message as Json);
    });
    await near.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
    const received = await answer;
    await close();
    return received;
  }

  it('covers the versions that this suite says it does', () => {
    expect(SDK_VERSIONS).toEqual({ newest: '1.32.2', oldest: '1.25.0' });
  });

  it('answers for a tool that is not there, or is switched off, with a result of these words', async () => {
    const create = () => {
      const server = new McpServer(INFO);
      server.registerTool('off', {}, () => ({ content: [] })).disable();
      return server;
    };
    const said = async (name: string) => (await callTool(create(), name))['result'];
    expect(await said('nope')).toEqual({
      content: [{ type: 'text', text: 'MCP error -32602: Tool nope not found' }],
      isError: true,
    });
    expect(await said('off')).toEqual({
      content: [{ type: 'text', text: 'MCP error -32602: Tool off disabled' }],
      isError: true,
    });
  });

  it('tells by assertCanSetRequestHandler whether a method has a handler', () => {
    const server = new McpServer(INFO);
    server.registerTool('x', {}, () => ({ content: [] }));
    expect(() => server.server.assertCanSetRequestHandler('tools/call')).toThrow();
    expect(() => server.server.assertCanSetRequestHandler('prompts/get')).not.toThrow();
  });

  it('closes a connection within five turns of the microtask queue', async () => {
    const server = new McpServer(INFO);
    await server.connect({ start: async () => undefined, send: async () => undefined, close: async () => undefined });
    let isClosed = false;
    void server.close().then(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < 5; turn += 1) await undefined;
    expect(isClosed).toBe(true);
  });

  it('can be introduced to another client later on', async () => {
    const server = new McpServer(INFO);
    const { near, close } = await connectMemory(server.server, sdk);
    for (const name of ['first', 'second']) {
      await near.send({
        jsonrpc: '2.0',
        id: name,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
      });
      await settle();
      expect(server.server.getClientVersion()).toEqual({ name, version: '1' });
    }
    await close();
  });

  it('sends a notification that nobody awaits before the result of its handler', async () => {
    const server = new McpServer(INFO);
    server.registerTool('x', {}, (extra) => {
      void extra.sendNotification({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return { content: [] };
    });
    const { near, far, close } = await connectMemory(server.server, sdk);
    const sent: string[] = [];
    const { send } = far;
    far.send = (message, options) => {
      sent.push('method' in message ? message.method : 'result');
      return send.call(far, message, options);
    };
    await near.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } });
    await settle();
    expect(sent).toEqual(['notifications/progress', 'result']);
    await close();
  });
});
