import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { ADA, ASKABLE, type Endpoint, echo, FACES, initialize, openEndpoint, textOf } from './session-endpoint.ts';

/** Who opened the session, and who knows its id. */
const STRANGERS = [
  ['another client', 'app/ada', 'other/ada'],
  ['another subject of the same client', 'app/ada', 'app/eve'],
  ['the same client without a subject', 'app/ada', 'app'],
  ['a subject where the session is of none', 'app', 'app/eve'],
  ['nobody', 'app/ada', undefined],
  ['somebody, where the session is of nobody', undefined, 'app/eve'],
] as const;

const NOT_FOUND = { code: -32001, message: 'Session not found' };

describe.each(FACES)('[M3f] [F51] who did not open the session (through %s)', (face) => {
  it.each(STRANGERS)('gets 404 for whatever is sent to it, with its id: %s', async (_name, owner, stranger) => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open(ASKABLE, owner);
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    const post = await endpoint.send({ body: echo('mine', 'x'), headers, caller: stranger });
    expect([post.status, await post.json()]).toEqual([404, { jsonrpc: '2.0', id: 'x', error: NOT_FOUND }]);
    for (const method of ['GET', 'DELETE']) {
      const response = await endpoint.send({ method, headers, caller: stranger });
      expect([response.status, await response.json()]).toEqual([404, { jsonrpc: '2.0', id: null, error: NOT_FOUND }]);
    }
    expect(endpoint.runs).toEqual([]);
    expect(endpoint.handler.stats().sessions).toBe(1);
    await peer.callTool('echo', { text: 'still here' });
    expect(textOf(await peer.next())).toBe('still here');
  });

  it.each(STRANGERS)('can neither answer nor cancel its dialog, which stays open: %s', async (_, owner, stranger) => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open(ASKABLE, owner);
    const id = await peer.callTool('ask');
    const leg = await peer.next();
    const send = async (message: Json): Promise<number> => {
      const headers = { 'mcp-session-id': streams.sessionId ?? '' };
      return (await endpoint.send({ body: { jsonrpc: '2.0', ...message }, headers, caller: stranger })).status;
    };
    const eve = { action: 'accept', content: { name: 'Eve' } };
    expect(await send({ id: leg['id'], result: eve })).toBe(404);
    expect(await send({ id: leg['id'], error: { code: -1, message: 'no' } })).toBe(404);
    expect(await send({ method: 'notifications/cancelled', params: { requestId: id } })).toBe(404);
    await settle();
    expect(endpoint.runs).toEqual(['ask']);
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
    expect(endpoint.runs).toEqual(['ask', 'ask']);
  });
});

describe('[F51] an answer to the dialog of somebody else', () => {
  it('means nothing in a session of the own', async () => {
    const endpoint = await openEndpoint();
    const ada = await endpoint.open(ASKABLE, 'app/ada');
    const eve = await endpoint.open(ASKABLE, 'app/eve');
    const id = await ada.peer.callTool('ask');
    const leg = await ada.peer.next();
    expect(await eve.peer.answer(leg, { action: 'accept', content: { name: 'Eve' } })).toBe(202);
    expect(await eve.peer.cancel(id)).toBe(202);
    await settle();
    expect(endpoint.runs).toEqual(['ask']);
    await ada.peer.answer(leg, ADA);
    expect(textOf(await ada.peer.next())).toBe('accept Ada');
  });

  it('means nothing in a session of the modern era, which has none', async () => {
    const endpoint = await openEndpoint();
    const { peer } = await endpoint.open(ASKABLE, 'app/ada');
    await peer.callTool('ask');
    const leg = await peer.next();
    const body = { jsonrpc: '2.0', id: leg['id'], result: { action: 'accept', content: { name: 'Eve' } } };
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const response = await endpoint.send({ body, headers, caller: 'app/eve' });
    expect(response.status).toBe(400);
    await settle();
    expect(endpoint.runs).toEqual(['ask']);
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });
});

describe('the stray session id of somebody else', () => {
  it('opens a session of the own with initialize, and leaves the other one as it is', async () => {
    const endpoint = await openEndpoint();
    const ada = await endpoint.open(ASKABLE, 'app/ada');
    const headers = { 'mcp-session-id': ada.streams.sessionId ?? '' };
    const response = await endpoint.send({ body: initialize(), headers, caller: 'app/eve' });
    await response.text();
    const id = response.headers.get('mcp-session-id') ?? '';
    expect(id).not.toBe(ada.streams.sessionId);
    await ada.peer.callTool('echo', { text: 'still here' });
    expect(textOf(await ada.peer.next())).toBe('still here');
    const adaThere = await endpoint.send({ body: echo(), headers: { 'mcp-session-id': id }, caller: 'app/ada' });
    expect(adaThere.status).toBe(404);
  });
});

describe('inputRequired.subject', () => {
  const byFirstLetter = ({ extra }: { extra?: Json | undefined }): string => String(extra?.['sub'])[0] ?? '';
  const openAs = (endpoint: Endpoint, caller: string) => endpoint.open(ASKABLE, caller);

  it('says whose a session is, beside the client id', async () => {
    const endpoint = await openEndpoint({ inputRequired: { subject: byFirstLetter } });
    const { streams } = await openAs(endpoint, 'app/ada');
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    const statusOf = async (caller: string): Promise<number> =>
      (await endpoint.send({ body: { jsonrpc: '2.0', method: 'notifications/x' }, headers, caller })).status;
    expect(await statusOf('app/alan')).toBe(202);
    expect(await statusOf('app/eve')).toBe(404);
    expect(await statusOf('other/ada')).toBe(404);
  });

  it.each<[string, () => string]>([
    [
      'throws',
      () => {
        throw new Error('no directory');
      },
    ],
    ['returns no string', (() => 7) as never],
    ['returns a promise', (async () => 'ada') as never],
  ])('[F42] denies when it %s: no session, and no server is made', async (_name, subject) => {
    const endpoint = await openEndpoint({ inputRequired: { subject } });
    const response = await endpoint.send({ body: initialize(4), caller: 'app/ada' });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 4, error: { code: -32000 } });
    expect(endpoint.servers).toEqual([]);
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it('[F42] denies every request of a session when it throws later, and the session stays', async () => {
    let isDown = false;
    const subject = (): string => {
      if (isDown) throw new Error('no directory');
      return 'ada';
    };
    const endpoint = await openEndpoint({ inputRequired: { subject } });
    const { peer, streams } = await openAs(endpoint, 'app/ada');
    isDown = true;
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? echo() : undefined;
      const response = await endpoint.send({ method, body, headers, caller: 'app/ada' });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain('directory');
    }
    expect(endpoint.runs).toEqual([]);
    isDown = false;
    await peer.callTool('echo', { text: 'back' });
    expect(textOf(await peer.next())).toBe('back');
  });

  it('is not asked about a caller that nobody authenticated', async () => {
    const subject = (): string => {
      throw new Error('no directory');
    };
    const endpoint = await openEndpoint({ inputRequired: { subject } });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });
});
