import { callTool, getPrompt, readResource } from 'mcp-dual-era/client';
import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAskingServer } from '../serve/modern-asking-server.ts';
import { listenNode, type NodeServer } from '../serve/node-server.ts';
import { connectHost, textOf } from './host.ts';

const ignore = (): void => undefined;

describe.each([
  ['answer', 'newest'],
  ['return', 'newest'],
  ['return', 'oldest'],
] as const)("[C2b] a handshake server, with inputRequired: '%s', for the client of %s SDK v1", (inputRequired, sdk) => {
  let handler: McpHandler;
  let server: NodeServer;
  beforeAll(async () => {
    handler = createMcpHandler(() => createAskingServer('newest', ignore), { eras: 'handshake' });
    server = await listenNode((request, response) => handler.node(request, response));
  });
  afterAll(async () => {
    await handler.close();
    await server.close();
  });
  const connect = () => connectHost(server.url, { sdk, options: { inputRequired } });

  it('asks live, and the same functions give the result', async () => {
    const { client, asked } = await connect();
    expect(textOf(await callTool(client, { name: 'all', arguments: {} }))).toBe('Ada accept short file:///home/ada');
    expect(await getPrompt(client, { name: 'greet' })).toMatchObject({
      messages: [{ content: { text: 'Greet Ada' } }],
    });
    expect(await readResource(client, { uri: 'note://mine' })).toMatchObject({ contents: [{ text: 'A note of Ada' }] });
    expect(asked).toEqual([
      'form Your name?\n\nAs in your passport.',
      'url https://mcp.example.com/connect',
      'sampling',
      'roots',
      'form Your name?',
      'form Your name?',
    ]);
  });

  it('asks live, and the own function of the client gives the result', async () => {
    const { client } = await connect();
    expect(textOf(await client.callTool({ name: 'all', arguments: {} }))).toBe('Ada accept short file:///home/ada');
  });

  it('closes the dialog when the signal of callTool is aborted', async () => {
    const abort = new AbortController();
    let closed: (() => void) | undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { client } = await connectHost(server.url, {
      sdk,
      options: { inputRequired },
      elicit: (_params, signal) => {
        signal.addEventListener('abort', () => closed?.());
        abort.abort(new Error('Enough'));
        return new Promise(() => undefined);
      },
    });
    const call = callTool(client, { name: 'minted', arguments: {} }, { signal: abort.signal });
    await expect(call).rejects.toThrow('Enough');
    await isClosed;
  });
});
