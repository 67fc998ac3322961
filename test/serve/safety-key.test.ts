import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  createRequestStateCodec,
  DualEraError,
  type InputRequiredOptions,
  inputContext,
  inputRequired,
} from 'mcp-dual-era';
import { createMcpHandler, type HttpServeOptions } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, type Endpoint, modern, openEndpoint, textOf } from './session-endpoint.ts';

const KEY = '0123456789abcdef0123456789abcdef';

/** A server whose tool asks with a state, which a modern client carries. */
function createAskingServer(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' });
  const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
  server.registerTool('ask', {}, async (extra) => {
    const context = inputContext(extra);
    const state = context.requestState<{ step: number }>();
    if (state !== undefined) return { content: [{ type: 'text', text: `step ${state.step}` }] };
    const who = inputRequired.elicit({ message: 'Your name?', requestedSchema });
    return inputRequired({ inputRequests: { who }, requestState: { step: 1 } });
  });
  return server;
}

const open = (inputRequired: InputRequiredOptions = {}): Promise<Endpoint> =>
  openEndpoint({ inputRequired }, { factory: createAskingServer });

const call = async (endpoint: Endpoint, more: Json = {}): Promise<Json> => {
  const params = { name: 'ask', arguments: {}, ...more };
  return (await (
    await endpoint.send(modern('tools/call', params, { capabilities: { elicitation: {} } }))
  ).json()) as Json;
};

const construct = (options: HttpServeOptions) => () => createMcpHandler(createAskingServer, options);

describe('[M5c] [F40] an endpoint without a key', () => {
  // First in this file: the warning comes once in a process.
  it('on loopback starts, and warns once, when it first seals', async () => {
    const warnings: string[] = [];
    const endpoint = await open({ ports: { warn: (message) => warnings.push(message) } });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('step 1');
    expect(warnings).toEqual([]);
    await call(endpoint);
    await call(endpoint);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/requestState.*ephemeral key/);
    expect(warnings[0]).toContain('inputRequired.requestState.keys');
  });

  it('opens what it has sealed', async () => {
    const endpoint = await open();
    const { requestState } = (await call(endpoint))['result'];
    const answer = await call(endpoint, { inputResponses: { who: ADA }, requestState });
    expect(textOf(answer)).toBe('step 1');
  });

  it.each<[string, HttpServeOptions]>([
    ['both eras', {}],
    ['modern clients alone', { eras: 'modern' }],
    ['inputRequired: false, since asks reach modern clients all the same', { inputRequired: false }],
    ['requestState options without keys', { inputRequired: { requestState: { ttlSeconds: 60 } } }],
    ['a codec without keys', { inputRequired: { requestState: createRequestStateCodec() } }],
  ])('refuses to start beyond loopback names, naming the option: %s', (_name, options) => {
    let refusal: unknown;
    try {
      construct({ ...options, allowedHosts: ['localhost', 'mcp.example.com'] })();
    } catch (error) {
      refusal = error;
    }
    expect(DualEraError.isInstance(refusal)).toBe(true);
    expect(refusal).toMatchObject({ code: 'EPHEMERAL_KEY' });
    for (const named of ['mcp.example.com', 'inputRequired.requestState.keys', 'allowEphemeralKey']) {
      expect((refusal as Error).message).toContain(named);
    }
  });

  it.each<[string, HttpServeOptions]>([
    ['loopback names alone', { allowedHosts: ['localhost', '127.0.0.1', '[::1]'] }],
    ['no allowedHosts', { allowedOrigins: ['app.example.com'] }],
    ['allowEphemeralKey', { allowedHosts: ['mcp.example.com'], allowEphemeralKey: true }],
    [
      'allowEphemeralKey among the requestState options',
      { allowedHosts: ['mcp.example.com'], inputRequired: { requestState: { allowEphemeralKey: true } } },
    ],
    ['clients of the handshake era alone', { allowedHosts: ['mcp.example.com'], eras: 'handshake' }],
    ['a key', { allowedHosts: ['mcp.example.com'], inputRequired: { requestState: { keys: KEY } } }],
    [
      'a codec with a key',
      { allowedHosts: ['mcp.example.com'], inputRequired: { requestState: createRequestStateCodec({ keys: KEY }) } },
    ],
    [
      "a codec of the user's own",
      {
        allowedHosts: ['mcp.example.com'],
        inputRequired: { requestState: { mint: () => 'state', verify: () => ({}) } },
      },
    ],
  ])('starts with %s', async (_name, options) => {
    await construct(options)().close();
  });

  it('refuses what another ephemeral key has sealed, and the event says why and names the option', async () => {
    const other = await open({ requestState: createRequestStateCodec() });
    const { requestState } = (await call(other))['result'];
    const endpoint = await open();
    const answer = await call(endpoint, { inputResponses: { who: ADA }, requestState });
    expect(answer).toMatchObject({
      id: 1,
      error: {
        code: -32602,
        message: 'Invalid or expired requestState',
        data: { reason: 'invalid_request_state' },
      },
    });
    expect(endpoint.events).toMatchObject([{ type: 'state-refused', cause: 'other-ephemeral-key', target: 'ask' }]);
    expect(JSON.stringify(endpoint.events)).toContain('requestState.keys');
  });
});
