import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CompleteRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type DualEraEvent, inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, form } from '../support/asks.ts';
import { connectPeer } from '../support/own-server.ts';

const CustomRequestSchema = z.object({ method: z.literal('acme/deploy'), params: z.looseObject({}).optional() });

/** A low-level server whose every handler asks. */
function askingServer() {
  const events: DualEraEvent[] = [];
  let runs = 0;
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {}, completions: {} } });
  const handler = (): never => {
    runs += 1;
    return ask({ who: form() }) as never;
  };
  server.setRequestHandler(ListToolsRequestSchema, handler);
  server.setRequestHandler(CompleteRequestSchema, handler);
  server.setRequestHandler(CustomRequestSchema as never, handler);
  withInputRequiredShim(server, { onEvent: (event) => events.push(event) });
  return { server, events, runs: () => runs };
}

describe('[H1] [S1] an ask from a method that may not ask', () => {
  it.each([
    ['tools/list', {}],
    ['acme/deploy', {}],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
  ])('is answered -32603 with an error event, and nothing is asked: %s', async (method, params) => {
    const { server, events, runs } = askingServer();
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
    const errors: Error[] = [];
    server.onerror = (error) => errors.push(error);
    const id = await peer.request(method, params);
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32603,
        message: `${method} cannot ask: only the handlers of tools/call, prompts/get and resources/read may return an ask`,
      },
    });
    expect(events).toEqual([
      {
        type: 'error',
        message: 'only the handlers of tools/call, prompts/get and resources/read may return an ask',
        method,
        target: '',
      },
    ]);
    expect(errors).toEqual([]);
    expect(runs()).toBe(1);
    const ping = await peer.request('ping', {});
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id: ping, result: {} });
  });

  it('reads as a first entry that can ask nothing', async () => {
    const server = new Server({ name: 'low', version: '1' }, { capabilities: {} });
    let seen: unknown;
    server.setRequestHandler(CustomRequestSchema as never, (_request: unknown, extra: { _meta?: object }) => {
      const context = inputContext(extra);
      seen = [context.round, context.responses, context.requestState(), context.canAsk('form')];
      return {};
    });
    withInputRequiredShim(server);
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
    await peer.request('acme/deploy', { _meta: { progressToken: 1 } });
    expect((await peer.next())['result']).toEqual({});
    expect(seen).toEqual([0, undefined, undefined, false]);
  });
});
