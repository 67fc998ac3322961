import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { createPlayServer, PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { readFrames } from '../support/sse.ts';

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  },
};

/** The messages of a response, a stream or plain JSON, one at a time. */
function readMessages(response: Response): () => Promise<Json> {
  if (response.headers.get('content-type') === 'application/json') return () => response.json() as Promise<Json>;
  const frames = readFrames(response);
  return async () => ((await frames.next()) as { message: Json }).message;
}

/** A session on the web-standard transport, driven without a network: what is posted arrives in the order of the calls. */
async function open() {
  let runs = 0;
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 's' });
  const server = createPlayServer((context) => {
    runs += 1;
    return context.round === 0 ? ask({ who: form() }) : JSON.stringify(context.accepted('who'));
  });
  await server.connect(transport);
  const post = (message: Json, isParsed: boolean): Promise<Response> => {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(message['id'] === 0 ? {} : { 'mcp-session-id': 's' }),
    };
    const body = JSON.stringify(message);
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
    return transport.handleRequest(request, isParsed ? { parsedBody: message } : {});
  };
  await (await post(initialize, false)).text();
  return { post, runs: () => runs, close: () => server.close() };
}

describe.each([
  ['read by the transport', false],
  ['parsed before', true],
])('[H7c] [F52] two requests with one id in one turn of the event loop, their bodies %s', (_, isParsed) => {
  it('are served once: the other gets -32600, and the call is answered on its own stream', async () => {
    const { post, runs, close } = await open();
    const responses = await Promise.all([post(CALL, isParsed), post(CALL, isParsed)]);
    const streams = responses.map(readMessages);
    const firsts = await Promise.all(streams.map((next) => Promise.race([next(), settle(200).then(() => 'nothing')])));
    expect(firsts).toMatchObject([{ method: 'elicitation/create' }, { id: 7, error: { code: -32600 } }]);

    await post({ jsonrpc: '2.0', id: (firsts[0] as Json)['id'], result: ADA }, isParsed);
    expect(textOf((await streams[0]?.()) as Json)).toBe('{"name":"Ada"}');
    expect(runs()).toBe(2);
    await close();
  });
});
