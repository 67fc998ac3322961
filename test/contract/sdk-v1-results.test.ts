import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';

const info = { name: 'pin', version: '1' };

describe.each(['newest', 'oldest'] as const)('SDK v1, %s: what the shim leans on in params and results', (sdk) => {
  const { McpServer, Server, types } = sdkNamed(sdk);

  const callOnce = async (server: InstanceType<typeof McpServer | typeof Server>, method: string, params: Json) => {
    const { peer, close } = await connectMemory(server, sdk);
    await peer.handshake();
    await peer.request(method, params);
    const answer = await peer.next();
    await close();
    return answer;
  };

  it('strips the retry members from the params of the three methods', async () => {
    const seen: string[][] = [];
    const server = new Server(info, { capabilities: { tools: {}, prompts: {}, resources: {} } });
    const keep = (result: object) => async (request: Json) => {
      seen.push(Object.keys(request['params']).filter((member) => member !== '_meta'));
      return result as never;
    };
    server.setRequestHandler(types.CallToolRequestSchema, keep({ content: [] }));
    server.setRequestHandler(types.GetPromptRequestSchema, keep({ messages: [] }));
    server.setRequestHandler(types.ReadResourceRequestSchema, keep({ contents: [] }));
    const { peer, close } = await connectMemory(server, sdk);
    const retry = { inputResponses: { a: 1 }, requestState: 's' };
    await peer.request('tools/call', { name: 'x', ...retry });
    await peer.request('prompts/get', { name: 'x', ...retry });
    await peer.request('resources/read', { uri: 'x:y', ...retry });
    for (let answer = 0; answer < 3; answer += 1) await peer.next();
    expect(seen).toEqual([['name'], ['name'], ['uri']]);
    await close();
  });

  it('passes an ask of a tool on as a success, with its members and an empty content', async () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    const asked = {
      resultType: 'input_required',
      inputRequests: { q: { method: 'roots/list' } },
      requestState: { a: 1 },
    };
    server.setRequestHandler(types.CallToolRequestSchema, async () => asked as never);
    const answer = await callOnce(server, 'tools/call', { name: 'x' });
    expect(answer['result']).toEqual({ ...asked, content: [] });
  });

  it('passes an ask of a prompt and of a resource on untouched', async () => {
    const server = new Server(info, { capabilities: { prompts: {}, resources: {} } });
    const asked = { resultType: 'input_required', requestState: 1 };
    server.setRequestHandler(types.GetPromptRequestSchema, async () => asked as never);
    server.setRequestHandler(types.ReadResourceRequestSchema, async () => asked as never);
    const { peer, close } = await connectMemory(server, sdk);
    await peer.request('prompts/get', { name: 'x' });
    expect((await peer.next())['result']).toEqual(asked);
    await peer.request('resources/read', { uri: 'x:y' });
    expect((await peer.next())['result']).toEqual(asked);
    await close();
  });

  it.each([
    ['leaves a result with isError unchecked', { isError: true }, 'text'],
    ['refuses one without', {}, expect.stringContaining('Output validation error')],
  ])('by the outputSchema of its tool, %s', async (_, members, said) => {
    const server = new McpServer(info);
    server.registerTool('x', { outputSchema: { n: z.number() } }, async () => ({
      content: [{ type: 'text', text: 'text' }],
      ...members,
    }));
    const answer = await callOnce(server, 'tools/call', { name: 'x', arguments: {} });
    expect(answer['result'] ?? answer['error']).toBeDefined();
    expect(answer['result']?.content[0].text ?? answer['error'].message).toEqual(said);
  });

  it('reads elicitation: {} as a declaration of forms, and refuses a handshake with elicitation: true', async () => {
    const server = new Server(info, { capabilities: {} });
    const { peer, close } = await connectMemory(server, sdk);
    await peer.handshake({ capabilities: { elicitation: {} } });
    expect(server.getClientCapabilities()).toEqual({ elicitation: { form: {} } });
    expect(await peer.handshake({ capabilities: { elicitation: true } })).toMatchObject({ error: { code: -32603 } });
    await close();
  });
});
