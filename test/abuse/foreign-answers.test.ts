import type { DualEraEvent } from 'mcp-dual-era';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { createPlayServer, PLAY_PARAMS, type Play, textOf } from '../support/play-server.ts';
import { type ServedFactory, serveFactory } from '../support/serve-factory.ts';

const asking = { revision: '2025-11-25', capabilities: { elicitation: {} } };

describe('answers over HTTP that come from elsewhere', () => {
  let served: ServedFactory;
  let events: DualEraEvent[];
  let runs: number;

  beforeEach(async () => {
    events = [];
    runs = 0;
    const play: Play = (context) => {
      runs += 1;
      return context.round === 0 ? ask({ who: form() }) : JSON.stringify(context.accepted('who'));
    };
    const options = { onEvent: (event: DualEraEvent) => void events.push(event) };
    served = await serveFactory(() => createPlayServer(play, { options }));
  });
  afterEach(() => served.close());

  const caller = (name: string): Record<string, string> => ({ 'x-test-caller': name });
  const strays = (): string[] => events.map(({ type }) => type).filter((type) => type.endsWith('-answer'));

  it("[H5c] answer no question of another session, whatever the answer's id", async () => {
    const [ada, eve] = [served.connect().peer, served.connect().peer];
    for (const peer of [ada, eve]) await peer.handshake(asking);
    await ada.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    await eve.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    const [adasLeg, evesLeg] = [await ada.next(), await eve.next()];
    expect(adasLeg['id']).not.toBe(evesLeg['id']);

    expect(await eve.answer(adasLeg, { action: 'accept', content: { name: 'Eve' } })).toBe(202);
    expect(runs).toBe(2);
    await ada.answer(adasLeg, ADA);
    expect(textOf(await ada.next())).toBe('{"name":"Ada"}');
    await eve.answer(evesLeg, { action: 'accept', content: { name: 'Eve' } });
    expect(textOf(await eve.next())).toBe('{"name":"Eve"}');
  });

  it.each([
    ['another client', 'app/ada', 'other/ada'],
    ['another subject of the same client', 'app/ada', 'app/eve'],
    ['the same client without a subject', 'app/ada', 'app'],
    ['nobody', 'app/ada', undefined],
    ['somebody, where the call was of nobody', undefined, 'app/ada'],
  ])('[H4b] [F51] are ignored from %s, and the dialog stays open', async (_, owner, stranger) => {
    const { peer } = served.connect();
    await peer.handshake(asking);
    const headers = (name: string | undefined) => (name === undefined ? {} : caller(name));
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
    await peer.send(call, headers(owner));
    const leg = await peer.next();
    await peer.answer(leg, { action: 'accept', content: { name: 'Eve' } }, headers(stranger));
    expect([strays(), runs]).toEqual([['foreign-answer'], 1]);
    await peer.answer(leg, ADA, headers(owner));
    expect(textOf(await peer.next())).toBe('{"name":"Ada"}');
  });

  it('[H4b] cancel no call of another subject', async () => {
    const { peer } = served.connect();
    await peer.handshake(asking);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
    await peer.send(call, caller('app/ada'));
    const leg = await peer.next();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await peer.send(cancel, caller('app/eve'));
    expect(strays()).toEqual(['foreign-answer']);
    await peer.answer(leg, ADA, caller('app/ada'));
    expect(textOf(await peer.next())).toBe('{"name":"Ada"}');
  });

  it.each([
    ['a result that is null', { result: null }],
    ['a result that is an array', { result: [] }],
    ['an error without a code', { error: { message: 'no' } }],
    ['neither', {}],
  ])('are refused by the transport before they arrive, and the dialog stays open: %s', async (_, members) => {
    const { peer } = served.connect();
    await peer.handshake(asking);
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    const leg = await peer.next();
    expect(await peer.send({ jsonrpc: '2.0', id: leg['id'], ...members })).toBe(400);
    expect((await peer.next())['error']).toMatchObject({ code: -32700 });
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('{"name":"Ada"}');
  });
});
