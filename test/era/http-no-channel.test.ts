import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ALL_CAPABILITIES,
  ask,
  form,
  outcomeOf,
  roots,
  sampling,
  samplingWithTools,
  stateOnly,
  told,
  url,
} from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { HTTP_TRANSPORTS, openHttpSession } from '../support/open-http.ts';
import { Peer } from '../support/peer.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';
import { serveFactory } from '../support/serve-factory.ts';
import { StreamClient } from '../support/stream-client.ts';

const KINDS = {
  form: form(),
  url: url(),
  sampling: sampling(),
  'sampling with tools': samplingWithTools(),
  roots: roots(),
};

const CASES = METHODS.flatMap((method) =>
  Object.entries(KINDS).map(([kind, question]) => [method, kind, question] as const),
);

/** A peer whose every request meets a server and a transport of its own. */
async function openStateless(sdk: 'newest' | 'oldest' = 'newest') {
  const runs: string[] = [];
  const log = { event: () => undefined, run: (run: string) => void runs.push(run) };
  const served = await serveFactory(() => createScriptServer({ sdk }, log), {
    sdk,
    http: { sessionIdGenerator: undefined },
  });
  onTestFinished(() => served.close());
  const { peer } = served.connect();
  await peer.handshake({ capabilities: ALL_CAPABILITIES });
  return { peer, runs };
}

async function timed(peer: Peer, method: string, params: Json): Promise<{ answer: Json; ms: number }> {
  const start = performance.now();
  void peer.request(method, params);
  const answer = await peer.next();
  return { answer, ms: performance.now() - start };
}

/** The answer to a call that asks, and how much longer it took than one that does not: the least out of twenty. */
async function callTimed(peer: Peer, method: string, question: Json): Promise<{ answer: Json; ms: number }> {
  let refusal = await timed(peer, method, scriptParams(method, [ask({ q: question })]));
  let plain = await timed(peer, 'ping', {});
  for (let attempt = 0; attempt < 20 && refusal.ms - plain.ms >= 50; attempt += 1) {
    refusal = await timed(peer, method, scriptParams(method, [ask({ q: question })]));
    plain = await timed(peer, 'ping', {});
  }
  return { answer: refusal.answer, ms: refusal.ms - plain.ms };
}

function messageOf(answer: Json): string {
  return answer['error']?.message ?? answer['result'].content[0].text;
}

describe('a stateless HTTP session', () => {
  it.each(CASES)('is refused %s in under 50 ms, naming cause and cure: %s (F09)', async (method, _kind, question) => {
    const { peer } = await openStateless();
    const { answer, ms } = await callTimed(peer, method, question);
    expect(outcomeOf(answer)).toMatchObject({ reason: 'no-channel', method, round: 1 });
    expect(messageOf(answer)).toContain(
      'it has to ask something, and no question can reach this client (no initialize request was seen, ' +
        'as in a stateless HTTP session. Serve HTTP with sessions (sessionIdGenerator) to be able to ask).',
    );
    expect(JSON.stringify(answer)).not.toMatch(/not support/);
    expect(ms).toBeLessThan(50);
  });

  it('is refused on the oldest SDK v1 too', async () => {
    const { peer } = await openStateless('oldest');
    const { answer, ms } = await callTimed(peer, 'tools/call', form());
    expect(outcomeOf(answer)).toEqual({ reason: 'no-channel', method: 'tools/call', target: 'script', round: 1 });
    expect(ms).toBeLessThan(50);
  });

  it('is refused on the web-standard transport too', async () => {
    const client = new StreamClient(new URL('http://127.0.0.1/mcp'), async (url, init) => {
      const transport = new WebStandardStreamableHTTPServerTransport({});
      await createScriptServer({}, { event: () => undefined, run: () => undefined }).connect(transport);
      return transport.handleRequest(new Request(url, init));
    });
    onTestFinished(() => client.close());
    const peer = new Peer(client, client.inbox);
    await peer.handshake({ capabilities: ALL_CAPABILITIES });
    const { answer, ms } = await callTimed(peer, 'tools/call', form());
    expect(outcomeOf(answer)).toEqual({ reason: 'no-channel', method: 'tools/call', target: 'script', round: 1 });
    expect(ms).toBeLessThan(50);
  });

  it('runs the handler once', async () => {
    const { peer, runs } = await openStateless();
    await peer.callTool('script', { script: [ask({ who: form() })] });
    expect(outcomeOf(await peer.next())['reason']).toBe('no-channel');
    expect(runs).toEqual(['script']);
  });

  it('may have rounds with a state only, which need no channel', async () => {
    const { peer } = await openStateless();
    await peer.callTool('script', { script: [stateOnly({ page: 1 })] });
    expect(told(await peer.next())).toMatchObject({ round: 1, state: { page: 1 } });
  });

  it('tells a handler that nothing can be asked', async () => {
    const { peer } = await openStateless();
    await peer.callTool('script', { script: [] });
    expect(told(await peer.next())['canAsk']).toEqual([]);
  });
});

describe.each(HTTP_TRANSPORTS)('a session in JSON response mode (%s transport)', (transport) => {
  const settings = { http: { enableJsonResponse: true } };

  it.each(CASES)('is refused %s in under 50 ms, naming cause and cure: %s', async (method, _kind, question) => {
    const { peer, events } = await openHttpSession(transport, { capabilities: ALL_CAPABILITIES }, settings);
    const { answer, ms } = await callTimed(peer, method, question);
    expect(outcomeOf(answer)).toMatchObject({ reason: 'no-channel', method, round: 1 });
    expect(messageOf(answer)).toContain(
      'it has to ask something, and no question can reach this client (the answer to this HTTP request is plain JSON, ' +
        'which cannot carry a question. Serve HTTP without enableJsonResponse to be able to ask).',
    );
    expect(JSON.stringify(answer)).not.toMatch(/not support/);
    expect(ms).toBeLessThan(50);
    expect(events).toEqual([]);
  });

  it('serves a call that asks nothing as ever', async () => {
    const { peer, client } = await openHttpSession(transport, {}, settings);
    const id = await peer.callTool('echo', { text: 'plain' });
    expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text: 'plain' }] });
    expect(client.post(id).status).toBe(200);
  });
});
