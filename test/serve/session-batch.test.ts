import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, echo, FACES, initialize, openEndpoint, request } from './session-endpoint.ts';

const byId = (left: Json, right: Json) => left['id'] - right['id'];

describe.each(FACES)('a batch of the revisions that have them (through %s)', (face) => {
  it('is answered on one stream, every call of it', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open({ revision: '2025-03-26' });
    await streams.send([echo('one', 1), { jsonrpc: '2.0', method: 'notifications/x' }, echo('two', 2)]);
    const answers = [await streams.inbox.next(), await streams.inbox.next()].sort(byId);
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'one' }] } },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'two' }] } },
    ]);
  });

  it('has its questions on that stream, each answered for itself', async () => {
    const endpoint = await openEndpoint({}, { face });
    // Batches are gone from 2025-06-18 on, and elicitation comes with it; SDK v1 takes both from everybody.
    const { peer, streams } = await endpoint.open();
    const ask = (id: number) => request('tools/call', { name: 'ask', arguments: {} }, id);
    await streams.send([ask(1), ask(2)]);
    for (const leg of [await peer.next(), await peer.next()]) await peer.answer(leg, ADA);
    const answers = [await peer.next(), await peer.next()].sort(byId);
    expect(answers.map(({ id, result }) => [id, result.content[0].text])).toEqual([
      [1, 'accept Ada'],
      [2, 'accept Ada'],
    ]);
  });

  it('of notifications alone gets 202', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open({ revision: '2025-03-26' });
    const notification = { jsonrpc: '2.0', method: 'notifications/x' };
    expect(await streams.send([notification, notification])).toBe(202);
  });

  it('without a session gets 400, and nothing of it runs', async () => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send({ body: [echo('one', 1), echo('two', 2)] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    expect(endpoint.servers).toEqual([]);
  });

  it('with initialize in it gets 400, and nothing of it runs', async () => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send({ body: [initialize(), echo()] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    expect(endpoint.runs).toEqual([]);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('that is empty gets 400', async () => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send({ body: [] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });
});
