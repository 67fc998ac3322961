import { inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modern, TYPES } from '../serve/session-endpoint.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import { connectPeer, type Handler, toolServer } from '../support/own-server.ts';

const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const MISTAKES: readonly (readonly [string, Handler, RegExp])[] = [
  [
    'all that confirm gives',
    (extra) => inputContext(extra).confirm('sure', { message: 'Sure?' }) as never,
    /cannot ask: .*return its `ask`/,
  ],
  [
    'a question without inputRequired',
    () => inputRequired.elicit({ message: 'Your name?', requestedSchema }) as never,
    /cannot ask: .*return inputRequired\(/,
  ],
];

describe.each(MISTAKES)('a handler that returns %s', (_name, handler, message) => {
  it('is an error to a handshake client, not an empty success', async () => {
    const { server, events } = toolServer(handler);
    const peer = await connectPeer(server, { capabilities: ALL_CAPABILITIES });
    await peer.callTool('tool');
    const answer = await peer.next();
    expect(answer['result']).toBeUndefined();
    expect(answer['error']).toMatchObject({ code: -32603, message: expect.stringMatching(message) });
    expect(events).toMatchObject([{ type: 'error', method: 'tools/call', target: 'tool' }]);
  });

  it('is an error to a modern client', async () => {
    const served = createMcpHandler(() => toolServer(handler).server);
    onTestFinished(served.close);
    const { headers, body } = modern('tools/call', { name: 'tool', arguments: {} }, { capabilities: ALL_CAPABILITIES });
    const init = { method: 'POST', headers: { ...TYPES, ...headers }, body: JSON.stringify(body) };
    const response = await served.fetch(new Request('http://localhost/mcp', init));
    const { error } = (await response.json()) as { error: unknown };
    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(message) });
  });
});

it('a result that only looks like one is a result', async () => {
  const { server } = toolServer(() => ({ content: [], method: 'elicitation/other', ask: { name: 'Ada' } }));
  const peer = await connectPeer(server, { capabilities: ALL_CAPABILITIES });
  await peer.callTool('tool');
  expect((await peer.next())['result']).toEqual({ content: [], method: 'elicitation/other', ask: { name: 'Ada' } });
});
