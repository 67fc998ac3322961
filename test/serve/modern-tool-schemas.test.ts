import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/json.ts';
import { mirroredPost } from './mirrored-post.ts';
import { callOf, modern } from './modern-message.ts';

const withHeader = (header: string) => ({
  type: 'object' as const,
  properties: { region: { type: 'string', 'x-mcp-header': header } },
});

/** A server with one tool on each of two pages, the second with an argument that travels in a header. */
function servePages() {
  const listed: (string | undefined)[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'pages', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }, { authInfo }) => {
      listed.push(authInfo?.clientId);
      if (params?.cursor === undefined) {
        return { tools: [{ name: 'plain', inputSchema: { type: 'object' as const } }], nextCursor: 'two' };
      }
      return { tools: [{ name: 'regional', inputSchema: withHeader('Region') }] };
    });
    server.setRequestHandler(CallToolRequestSchema, async () => ({ content: [{ type: 'text', text: 'ran' }] }));
    return server;
  });
  onTestFinished(() => handler.close());
  const tell = async (message: Json, { caller = 'ada', headers = {} } = {}): Promise<Json> => {
    const request = mirroredPost(message, headers);
    const response = await handler.fetch(request, { authInfo: { token: 't', clientId: caller, scopes: [] } });
    return (await response.json()) as Json;
  };
  const call = (caller: string, name = 'plain') => tell(callOf(name), { caller });
  /** How many lists `caller` has cost: each is of two pages. */
  const listsOf = (caller: string): number => listed.filter((one) => one === caller).length / 2;
  return { tell, call, listsOf, handler };
}

describe('the tools that a call has to know', () => {
  it('are found on whatever page they are', async () => {
    const { tell } = servePages();
    const request = callOf('regional', { region: 'eu' });
    expect((await tell(request))['error']?.code).toBe(-32020);
    expect((await tell(request, { headers: { 'Mcp-Param-Region': 'eu' } }))['result'].content[0].text).toBe('ran');
  });

  it('are listed once for each caller, and once more when they have changed', async () => {
    const { call, listsOf, handler } = servePages();
    for (let count = 0; count < 3; count += 1) for (const caller of ['ada', 'bob']) await call(caller);
    expect([listsOf('ada'), listsOf('bob')]).toEqual([1, 1]);
    handler.notify.toolsChanged();
    await call('ada');
    await call('ada');
    expect([listsOf('ada'), listsOf('bob')]).toEqual([2, 1]);
  });

  it('are listed anew after the caller was given a page of them, which tells nothing of the others', async () => {
    const { call, tell, listsOf } = servePages();
    await call('ada');
    await tell(modern('tools/list'));
    expect(listsOf('ada')).toBe(1.5);
    await call('ada');
    expect(listsOf('ada')).toBe(2.5);
  });

  it('are kept for 256 callers, of whom the one that listed them first is forgotten for another', async () => {
    const { call, listsOf } = servePages();
    const callers = Array.from({ length: 256 }, (_, index) => `caller ${index}`);
    for (const caller of callers) await call(caller);
    // Listed once more by one who is known, where nobody has to make room.
    await call('caller 255', 'unknown');
    await call('caller 0');
    expect([listsOf('caller 255'), listsOf('caller 0')]).toEqual([2, 1]);
    await call('one more');
    await call('caller 1');
    await call('caller 0');
    expect([listsOf('caller 1'), listsOf('caller 0')]).toEqual([1, 2]);
  });
});
