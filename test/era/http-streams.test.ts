import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, SAMPLED, sampling, told, url } from '../support/asks.ts';
import { HTTP_TRANSPORTS, openHttpSession } from '../support/open-http.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';
import { serveFactory } from '../support/serve-factory.ts';
import { play } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const methodsOf = (messages: readonly Record<string, unknown>[]) => messages.map(({ method }) => method ?? 'answer');

describe.each(HTTP_TRANSPORTS)('a question over Streamable HTTP (%s transport)', (transport) => {
  it('comes on the stream of its call to a client that never opens the GET stream (F10)', async () => {
    const { peer, client } = await openHttpSession(transport, CAPABLE);
    const id = await play(peer, [ask({ who: form(), auth: url(), sum: sampling(), where: roots() })]);
    for (const answer of [ADA, { action: 'accept' }, SAMPLED, ROOTS]) await peer.answer(await peer.next(), answer);
    expect(told(await peer.next())['round']).toBe(1);
    await client.post(id).ended;
    expect(methodsOf(client.post(id).messages)).toEqual([
      'elicitation/create',
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
      'answer',
    ]);
  });

  it('comes on the stream of its call to a client that has the GET stream open (F10)', async () => {
    const { peer, client } = await openHttpSession(transport, CAPABLE);
    const get = await client.get();
    const id = await play(peer, [ask({ who: form() }), ask({ where: roots() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.answer(await peer.next(), ROOTS);
    expect(told(await peer.next())['round']).toBe(2);
    expect(methodsOf(client.post(id).messages)).toEqual(['elicitation/create', 'roots/list', 'answer']);
    expect(get.messages).toEqual([]);
  });

  it('comes on the stream of its call to a client that opens the GET stream late (F10)', async () => {
    const { peer, client } = await openHttpSession(transport, CAPABLE);
    const id = await play(peer, [ask({ who: form() }), ask({ where: roots() })]);
    const leg = await peer.next();
    const get = await client.get();
    await peer.answer(leg, ADA);
    await peer.answer(await peer.next(), ROOTS);
    expect(told(await peer.next())['round']).toBe(2);
    expect(methodsOf(client.post(id).messages)).toEqual(['elicitation/create', 'roots/list', 'answer']);
    expect(get.messages).toEqual([]);
  });

  it('comes on the stream of its call to a client that reads GET only after that has ended (F10)', async () => {
    const { peer, client } = await openHttpSession(transport, CAPABLE);
    const id = await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    await client.post(id).ended;
    const get = await client.get();
    expect(methodsOf(client.post(id).messages)).toEqual(['elicitation/create', 'answer']);
    await play(peer, []);
    expect(told(await peer.next())['round']).toBe(1);
    expect(told(await peer.next())['round']).toBe(0);
    expect(get.messages).toEqual([]);
  });

  it('comes on the stream of its own call where several are open, with its cancellation (F11)', async () => {
    const { peer, client } = await openHttpSession(transport, CAPABLE);
    const first = await play(peer, [ask({ a: form('First?') })]);
    const second = await play(peer, [ask({ b: form('Second?') })]);
    const legs = [await peer.next(), await peer.next()];
    const one = legs.find(({ params }) => params.message === 'First?') ?? {};
    const two = legs.find(({ params }) => params.message === 'Second?') ?? {};
    await peer.cancel(first);
    await peer.next();
    await peer.answer(two, ADA);
    expect(told(await peer.next())['responses']).toEqual({ b: ADA });
    expect(client.post(first).messages.map(({ id, params }) => id ?? params.requestId)).toEqual([one['id'], one['id']]);
    expect(client.post(second).messages.map(({ id }) => id)).toEqual([two['id'], second]);
  });
});

describe('the response of a call over the node transport', () => {
  it('keeps no listener from round to round', async () => {
    const counts: number[] = [];
    let response: ServerResponse | undefined;
    const log = { event: () => undefined, run: () => void counts.push(response?.listenerCount('close') ?? -1) };
    const served = await serveFactory(() => createScriptServer({}, log), {
      onExchange: (request, answering) => {
        if (request.method === 'POST') response ??= request.headers['x-watched'] === undefined ? undefined : answering;
      },
    });
    onTestFinished(() => served.close());
    const { peer } = served.connect();
    await peer.handshake(CAPABLE);
    const script = [1, 2, 3, 4].map((round) => ask({ who: form(`Round ${round}`) }));
    const params = scriptParams('tools/call', script);
    await peer.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, { 'x-watched': 'yes' });
    for (let round = 0; round < 4; round += 1) await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['round']).toBe(4);
    expect(counts).toHaveLength(5);
    expect(new Set(counts.slice(1)).size).toBe(1);
  });
});
