import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { Inbox } from '../support/inbox.ts';
import type { Json } from '../support/json.ts';
import { openSession } from '../support/open.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { createPlayServer, PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';
import { type ServedFactory, serveFactory } from '../support/serve-factory.ts';

const CALL = PLAY_PARAMS['tools/call'] as Json;
const asking = { revision: '2025-11-25', capabilities: { elicitation: {} } };
const hello = (name: string | undefined): string => `Hello ${name}`;

describe('[H7c] [F52] a request whose id is in flight', () => {
  it.each([7, 0, 'seven', ''])('gets -32600 and is not delivered, in memory: id %j', async (id) => {
    const session = await openPlay((context) =>
      context.round === 0 ? ask({ who: form() }) : hello(context.accepted<{ name: string }>('who')?.name),
    );
    const { peer, run, runs } = session;
    await run('tools/call', id);
    const leg = await peer.next();
    await run('tools/call', id);
    expect(await peer.next()).toMatchObject({ id, error: { code: -32600 } });
    await peer.request('ping', {}, id);
    expect(await peer.next()).toMatchObject({ id, error: { code: -32600 } });
    expect(runs()).toBe(1);
    await peer.answer(leg, ADA);
    expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'Hello Ada' }] } });
    await expectNothingLeft(session);
    await session.close();
  });

  it('is told apart from one whose id only looks the same', async () => {
    const { peer, run, runs, close } = await openPlay(() => ask({ who: form() }));
    await run('tools/call', 1);
    await run('tools/call', '1');
    expect([(await peer.next())['method'], (await peer.next())['method'], runs()]).toEqual([
      'elicitation/create',
      'elicitation/create',
      2,
    ]);
    await close();
  });

  it('may be used again once the call is answered, refused or cancelled', async () => {
    const { peer, run, close } = await openPlay((context) => (context.round === 0 ? ask({ who: form() }) : 'done'));
    await run('tools/call', 7);
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('done');
    await run('tools/call', 7);
    await peer.answerError(await peer.next(), -1);
    expect((await peer.next())['result'].isError).toBe(true);
    await run('tools/call', 7);
    await peer.next();
    await peer.cancel(7);
    await peer.next();
    await run('tools/call', 7);
    expect((await peer.next())['method']).toBe('elicitation/create');
    await close();
  });

  it('gets -32600 and is not delivered, over stdio', async () => {
    const { peer, runs, close } = await openSession('stdio', asking);
    await peer.request('tools/call', scriptParams('tools/call', [ask({ who: form() })]), 7);
    const leg = await peer.next();
    await peer.request('tools/call', scriptParams('tools/call', []), 7);
    expect(await peer.next()).toMatchObject({ id: 7, error: { code: -32600 } });
    await peer.answer(leg, ADA);
    expect(await peer.next()).toMatchObject({ id: 7, result: {} });
    await close();
    expect(runs).toHaveLength(2);
  });
});

describe.each([
  ['read by the transport', false],
  ['parsed before the transport sees it', true],
])('[H7c] [F52] a request whose id is in flight, over HTTP, its body %s', (_, isBodyParsed) => {
  let served: ServedFactory;
  afterEach(() => served.close());

  async function open(sdk: 'newest' | 'oldest') {
    let runs = 0;
    const factory = () =>
      createPlayServer(
        (context) => {
          runs += 1;
          return context.round === 0 ? ask({ who: form() }) : hello(context.accepted<{ name: string }>('who')?.name);
        },
        { sdk },
      );
    served = await serveFactory(factory, { sdk, isBodyParsed });
    const { peer } = served.connect();
    await peer.handshake(asking);
    return { peer, runs: () => runs };
  }

  it.each(['newest', 'oldest'] as const)(
    'gets -32600, and the first call is answered on its own stream (%s SDK v1)',
    async (sdk) => {
      const { peer, runs } = await open(sdk);
      await peer.request('tools/call', CALL, 7);
      const leg = await peer.next();
      await peer.request('tools/call', CALL, 7);
      expect(await peer.next()).toMatchObject({ id: 7, error: { code: -32600 } });
      expect(runs()).toBe(1);
      await peer.answer(leg, ADA);
      expect(await peer.next()).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
    },
  );

  it('makes a whole batch refused, so that no part of it is half done', async () => {
    const { peer, runs } = await open('newest');
    await peer.request('tools/call', CALL, 7);
    const leg = await peer.next();
    const batch = [
      { jsonrpc: '2.0', id: 8, method: 'tools/call', params: CALL },
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params: CALL },
    ];
    expect(await peer.send(batch)).toBe(400);
    expect(await peer.next()).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(runs()).toBe(1);
    await peer.answer(leg, ADA);
    expect(await peer.next()).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
  });

  it('twice in one batch makes the batch refused', async () => {
    const { peer, runs } = await open('newest');
    const call = { jsonrpc: '2.0', id: 8, method: 'tools/call', params: CALL };
    expect(await peer.send([call, call])).toBe(400);
    expect(await peer.next()).toMatchObject({ id: 8, error: { code: -32600 } });
    expect(runs()).toBe(0);
  });

  it('twice at the same instant leaves the call that came first untouched', async () => {
    const { peer, runs } = await open('newest');
    await Promise.all([peer.request('tools/call', CALL, 7), peer.request('tools/call', CALL, 7)]);
    const messages = [await peer.next(), await peer.next()];
    const leg = messages.find((message) => 'method' in message) as Json;
    expect(messages.find((message) => 'error' in message)).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(runs()).toBe(1);
    await peer.answer(leg, ADA);
    expect(await peer.next(2_000)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
  });
});

describe('[H7c] [F52] a request whose id is in flight, over HTTP, whose body comes late', () => {
  it('gets -32600, and the call that came first is answered on its own stream', async () => {
    const seen = new Inbox();
    const served = await serveFactory(
      () =>
        createPlayServer((context) =>
          context.round === 0 ? ask({ who: form() }) : hello(context.accepted<{ name: string }>('who')?.name),
        ),
      { onExchange: (request) => seen.push({ late: request.headers['x-late'] }) },
    );
    const { peer, link } = served.connect();
    await peer.handshake(asking);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: CALL });
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': link.sessionId,
      'x-late': 'yes',
    };
    // The head and half of the body arrive first, and the rest after another request has taken the id.
    const late = httpRequest(served.url, { method: 'POST', headers });
    late.write(body.slice(0, 20));
    while ((await seen.next())['late'] !== 'yes');
    await peer.request('tools/call', CALL, 7);
    const leg = await peer.next();
    const response = once(late, 'response');
    late.end(body.slice(20));
    let text = '';
    for await (const chunk of (await response)[0]) text += String(chunk);
    expect(text).toContain('"code":-32600');

    await peer.answer(leg, ADA);
    expect(await peer.next(2_000)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
    await served.close();
  });
});
