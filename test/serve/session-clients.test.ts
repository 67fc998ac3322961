import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createInteropServer } from '../interop/interop-server.ts';
import { CLIENTS, type Connected, connect } from '../interop/people.ts';
import { listenNode, type NodeServer } from './node-server.ts';

describe.each(CLIENTS)('a client of the handshake era on a server of both: %s', (name) => {
  let handler: McpHandler;
  let server: NodeServer;
  let client: Connected | undefined;

  beforeAll(async () => {
    handler = createMcpHandler(() => createInteropServer('newest'));
    server = await listenNode((request, response) => handler.node(request, response));
  });
  afterEach(() => client?.close());
  afterAll(async () => {
    await handler.close();
    await server.close();
  });

  const open = async (): Promise<Connected> => {
    const answer = { action: 'accept', content: { name: 'Ada' } };
    client = await connect(name, server.url, { form: () => answer });
    return client;
  };

  it('is asked all four kinds, live, and gets the result of the tool', async () => {
    const { asked, callTool, listTools } = await open();
    await listTools();
    const result = await callTool('everything', { to: 'Hello' });
    expect(asked).toEqual(['form Your name?', 'url https://mcp.example.com/connect', 'sampling', 'roots']);
    expect(result['structuredContent']).toEqual({ said: 'Hello Ada accept short file:///home/ada' });
    expect(handler.stats().holds.held).toBe(0);
  });

  it('is asked for a prompt and for a resource', async () => {
    const { getPrompt, readResource } = await open();
    expect((await getPrompt('greet'))['messages'][0].content.text).toBe('Greet Ada');
    expect((await readResource('note://mine'))['contents'][0].text).toBe('A note of Ada');
  });

  it('has a session of its own', async () => {
    const before = handler.stats().sessions;
    await open();
    expect(handler.stats().sessions).toBe(before + 1);
  });
});
