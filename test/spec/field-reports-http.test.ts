import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, outcomeOf, roots, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { createPlayServer, PLAY_PARAMS, type Play, textOf } from '../support/play-server.ts';
import { type FactorySettings, type ServedFactory, serveFactory } from '../support/serve-factory.ts';
import { readFrames } from '../support/sse.ts';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const askName: Play = (context) =>
  context.round === 0 ? ask({ who: form() }) : JSON.stringify(context.accepted('who'));

let served: ServedFactory;
afterEach(() => served.close());

const serve = async (play: Play, settings: FactorySettings = {}) => {
  served = await serveFactory(() => createPlayServer(play), settings);
  const { peer, link } = served.connect();
  return { peer, link };
};
const handshake = { capabilities: { elicitation: {} } };
const session = (id: string | undefined) => ({ ...HEADERS, 'mcp-session-id': id ?? '' });
const post = (body: Json, id: string | undefined): Promise<Response> =>
  fetch(served.url, { method: 'POST', headers: session(id), body: JSON.stringify(body) });

describe('field reports about HTTP', () => {
  it('[F08] comment frames flow while a question is open, and none is taken for a message', async () => {
    const { peer, link } = await serve(askName, { http: { keepAliveMs: 10 } });
    await peer.handshake(handshake);
    const frames = readFrames(await post(CALL, link.sessionId));
    const leg = await frames.next();
    expect(leg).toMatchObject({ message: { method: 'elicitation/create' } });
    expect([await frames.next(), await frames.next()]).toEqual([{ comment: 'keepalive' }, { comment: 'keepalive' }]);
    await post({ jsonrpc: '2.0', id: (leg as { message: Json }).message['id'], result: ADA }, link.sessionId);
    for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) {
      if ('message' in frame) expect(textOf(frame.message)).toBe('{"name":"Ada"}');
    }
  });

  const kinds = { form: form(), url: url(), sampling: sampling(), roots: roots() };
  it.each(
    METHODS.flatMap((method) => Object.entries(kinds).map(([kind, question]) => [method, kind, question] as const)),
  )(
    '[F09] [H10a] a stateless session refuses %s with the cause and the cure at once: %s',
    async (method, _, question) => {
      await serve(() => ask({ q: question }), { http: { sessionIdGenerator: undefined } });
      const request = { jsonrpc: '2.0', id: 1, method, params: PLAY_PARAMS[method] };
      let fastest = Number.POSITIVE_INFINITY;
      // The bound is on the shim, not on a busy machine: the best of a few counts.
      for (let attempt = 0; attempt < 20 && fastest >= 50; attempt += 1) {
        const started = performance.now();
        const frame = await readFrames(await post(request, undefined)).next();
        fastest = Math.min(fastest, performance.now() - started);
        const answer = (frame as { message: Json }).message;
        expect(outcomeOf(answer)).toMatchObject({ reason: 'no-channel', method, round: 1 });
        const said = answer['error']?.message ?? textOf(answer);
        expect(said).toContain('Serve HTTP with sessions (sessionIdGenerator) to be able to ask');
        expect(said).not.toMatch(/not support/);
      }
      expect(fastest).toBeLessThan(50);
    },
  );

  it('[F10] [H4a] a client that never opens the GET stream gets its question on the stream of the call', async () => {
    const { peer, link } = await serve(askName);
    await peer.handshake(handshake);
    const frames = readFrames(await post(CALL, link.sessionId));
    expect(await frames.next()).toMatchObject({ message: { method: 'elicitation/create' } });
  });

  it('[F10] so does one that opens it while the question is out, and it gets nothing there', async () => {
    const { peer, link } = await serve(askName);
    await peer.handshake(handshake);
    const frames = readFrames(await post(CALL, link.sessionId));
    const first = await frames.next();
    expect(await link.openGet()).toBe(200);
    await post({ jsonrpc: '2.0', id: (first as { message: Json }).message['id'], result: ADA }, link.sessionId);
    expect(await frames.next()).toMatchObject({ message: { id: 1, result: {} } });
    expect(await peer.rest(20)).toEqual([]);
  });

  it('[F10] so does one that reads the GET stream only after the POST has ended', async () => {
    const { peer, link } = await serve(askName);
    await peer.handshake(handshake);
    const frames = readFrames(await post(CALL, link.sessionId));
    const first = await frames.next();
    await post({ jsonrpc: '2.0', id: (first as { message: Json }).message['id'], result: ADA }, link.sessionId);
    expect(await frames.next()).toMatchObject({ message: { id: 1, result: {} } });
    expect(await frames.next()).toBeUndefined();
    expect(await link.openGet()).toBe(200);
    expect(await peer.rest(20)).toEqual([]);
  });

  it('[F11] [H4a] [S12] a client that refuses questions outside the stream of their call never has to', async () => {
    const { peer, link } = await serve((context) => (context.round < 3 ? ask({ a: roots(), b: roots() }) : 'done'));
    await peer.handshake({ capabilities: { roots: {} } });
    await link.openGet();
    const streams = await Promise.all([1, 2, 3].map((id) => post({ ...CALL, id }, link.sessionId).then(readFrames)));
    for (let question = 0; question < 6; question += 1) {
      for (const stream of streams) {
        const frame = await stream.next();
        expect(frame).toMatchObject({ message: { method: 'roots/list' } });
        const { id } = (frame as { message: Json }).message;
        await post({ jsonrpc: '2.0', id, result: { roots: [] } }, link.sessionId);
      }
    }
    for (const [index, stream] of streams.entries())
      expect(await stream.next()).toMatchObject({
        message: { id: index + 1, result: { content: [{ text: 'done' }] } },
      });
    // What the GET stream brought would be here.
    expect(await peer.rest(20)).toEqual([]);
  });

  it('[S18] a batch of two calls on 2025-03-26 is asked and answered on one stream', async () => {
    const { peer } = await serve((context) => (context.round === 0 ? ask({ a: roots() }) : 'done'));
    await peer.handshake({ revision: '2025-03-26', capabilities: { roots: {} } });
    expect(await peer.send([CALL, { ...CALL, id: 2 }])).toBe(200);
    for (const leg of [await peer.next(), await peer.next()]) await peer.answer(leg, { roots: [] });
    const answers = [await peer.next(), await peer.next()];
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(answers.map(textOf)).toEqual(['done', 'done']);
  });

  it('[F15] [S11] our own 4xx, a request id in flight, is JSON-RPC and echoes the id', async () => {
    const { peer, link } = await serve(askName);
    await peer.handshake(handshake);
    await post(CALL, link.sessionId);
    const refused = await post(CALL, link.sessionId);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32600 } });
  });
});
