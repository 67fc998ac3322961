import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { readFrames } from '../support/sse.ts';
import { modern, NOTHING, type SentRequest, TYPES } from './session-endpoint.ts';

const REQUESTS = 10_000;
// Of each lap of ten requests seven are of a session, the opening and the end included.
const LAPS = REQUESTS / 10;
const AT_ONCE = 10;

let made = 0;
let closed = 0;
const servers: WeakRef<McpServer>[] = [];

function createLeanServer(): McpServer {
  const server = new McpServer({ name: 'lean', version: '1' });
  made += 1;
  servers.push(new WeakRef(server));
  server.server.onclose = () => {
    closed += 1;
  };
  server.registerTool('ask', {}, async (extra) => {
    if (inputContext(extra).round > 0) return { content: [{ type: 'text', text: 'answered' }] };
    return inputRequired({ inputRequests: { where: inputRequired.listRoots() } });
  });
  return server;
}

async function send(handler: McpHandler, { method = 'POST', headers, body }: SentRequest): Promise<Response> {
  const init = {
    method,
    headers: { ...TYPES, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return handler.fetch(new Request('http://localhost/mcp', init));
}

const clientInfo = { name: 'c', version: '1' };
const OPENING = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: {} } };
const ASK = modern('tools/call', { name: 'ask', arguments: {} }, { capabilities: { roots: {} } });

/** One session from its opening to its end, with a question; then a modern client with the same one: ten requests. */
async function lap(handler: McpHandler): Promise<string[]> {
  const opened = await send(handler, { body: { jsonrpc: '2.0', id: 0, method: 'initialize', params: OPENING } });
  await opened.text();
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const inSession = (body: Json): Promise<Response> => send(handler, { headers, body });
  await inSession({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const get = await send(handler, { method: 'GET', headers });
  const call = await inSession(CALL);
  const frames = readFrames(call);
  const leg = await nextMessage(frames);
  await inSession({ jsonrpc: '2.0', id: leg['id'], result: { roots: [] } });
  const live = textIn(await nextMessage(frames));
  await (await inSession({ jsonrpc: '2.0', id: 2, method: 'ping' })).text();
  await get.body?.cancel();
  await send(handler, { method: 'DELETE', headers });

  await (await send(handler, modern('server/discover'))).text();
  const { result } = (await (await send(handler, ASK)).json()) as Json;
  const inputResponses = { where: { roots: [] } };
  const state = result.requestState === undefined ? {} : { requestState: result.requestState };
  const retry = modern(
    'tools/call',
    { name: 'ask', arguments: {}, inputResponses, ...state },
    { capabilities: { roots: {} } },
  );
  return [live, textIn((await (await send(handler, retry)).json()) as Json)];
}

async function nextMessage(frames: ReturnType<typeof readFrames>): Promise<Json> {
  for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) {
    if ('message' in frame) return frame.message;
  }
  throw new Error('The stream has ended');
}

const textIn = (answer: Json): string => answer['result'].content[0].text;

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const listeners = (): number =>
  process.eventNames().reduce((sum, name) => sum + process.listenerCount(name as string), 0);

describe('[M5e] 10 000 requests of both eras', () => {
  it('leave no session, instance, listener or timer behind', async () => {
    const handler = createMcpHandler(createLeanServer);
    // Whatever is made once and kept is there from now on.
    await lap(handler);
    const before = { timers: timers(), listeners: listeners() };
    const told: string[] = [];
    for (let count = 0; count < LAPS; count += AT_ONCE) {
      const laps = await Promise.all(Array.from({ length: AT_ONCE }, () => lap(handler)));
      told.push(...laps.flat());
    }
    expect(told.filter((text) => text === 'answered')).toHaveLength(2 * LAPS);
    await vi.waitFor(() => expect(closed).toBe(made));
    expect(made).toBe(4 * (LAPS + 1));
    expect(handler.stats()).toMatchObject(NOTHING);
    expect(listeners()).toBe(before.listeners);
    await vi.waitFor(() => expect(timers()).toBeLessThanOrEqual(before.timers));
    await settle();
    collectGarbage();
    await settle();
    collectGarbage();
    // What the engine or the collector holds on to at the moment: not one for each request, nor for each session.
    expect(servers.filter((server) => server.deref() !== undefined).length).toBeLessThan(100);
    await handler.close();
  }, 60_000);
});
