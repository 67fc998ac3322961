import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipedServer } from './in-process-server.ts';
import { CAPABILITIES, modernMessage, plain } from './malformed-request.ts';
import {
  AFTER,
  ANSWERED,
  claiming,
  ECHO,
  OPENING,
  openHandshake,
  openServer,
  pinModern,
  refusalOf,
  startVectorServer,
} from './open-vector-server.ts';

describe('[M4d] a connection of the modern era', () => {
  let server: PipedServer;
  const tell = async (message: unknown) => {
    await server.peer.send(message);
    return server.peer.next();
  };

  beforeAll(async () => {
    server = startVectorServer();
    await pinModern(server);
  }, 60_000);
  afterAll(() => server.close());

  it.each([['2099-01-01'], ['2025-11-25'], ['zzz']])('refuses a request that claims %s', async (version) => {
    expect(await tell(claiming(version))).toMatchObject(refusalOf(version));
  });

  it.each([['tools/call'], ['server/discover'], ['subscriptions/listen'], ['nope/nope']])(
    'looks at the version before the method: %s',
    async (method) => {
      expect(await tell(claiming('2099-01-01', method))).toMatchObject(refusalOf('2099-01-01'));
    },
  );

  it.each([
    ['null', null],
    ['a number', 20260728],
    ['a list', ['2026-07-28']],
  ])('refuses a claim that is no string: %s', async (_name, version) => {
    expect(await tell(claiming(version))).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('refuses an envelope without capabilities', async () => {
    const message = modernMessage('tools/list', {}, { meta: { [CAPABILITIES]: undefined } });
    expect(await tell(message)).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it.each([['tools/list'], ['tools/call'], ['server/discover'], ['subscriptions/listen']])(
    'refuses a request without a claim: %s',
    async (method) => {
      expect(await tell(plain(method))).toMatchObject({ id: 1, error: { code: -32602 } });
    },
  );

  it('names its revision to an initialize', async () => {
    expect(await tell(plain('initialize', OPENING))).toMatchObject(refusalOf('2025-11-25'));
  });

  it.each([
    ['without a claim', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['that nobody knows', modernMessage('notifications/nope', {}, { message: { id: undefined } })],
    ['of another revision', { ...claiming('2099-01-01', 'notifications/nope'), id: undefined }],
    ['with a broken envelope', { ...claiming(null, 'notifications/nope'), id: undefined }],
    [
      'that cancels nothing',
      modernMessage('notifications/cancelled', { requestId: 9 }, { message: { id: undefined } }),
    ],
    [
      'that cancels null',
      modernMessage('notifications/cancelled', { requestId: null }, { message: { id: undefined } }),
    ],
  ])('passes over a notification %s', async (_name, message) => {
    await server.peer.send(message);
    expect(await tell(AFTER)).toMatchObject(ANSWERED);
  });

  it('refuses a request id that is in flight, and goes on with the first', async () => {
    server.stdin.write(`${JSON.stringify(AFTER)}\n${JSON.stringify(AFTER)}\n`);
    const answers = [await server.peer.next(), await server.peer.next()];
    expect(answers.map(({ id, error }) => [id, error?.code]).sort()).toEqual([
      ['after', undefined],
      ['after', -32600],
    ]);
  });

  it('goes on after all that', async () => {
    expect(await tell(modernMessage('server/discover'))).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });
});

describe('a connection of the handshake era', () => {
  it('follows on server/discover, and ignores every claim from then on', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('server/discover', {}, { message: { id: 'probe' } }));
    expect(await peer.next()).toMatchObject({ id: 'probe', result: { supportedVersions: ['2026-07-28'] } });
    await peer.handshake();
    await peer.send(modernMessage('tools/call', ECHO));
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'hi' }] },
    });
    await peer.send(claiming('2099-01-01', 'ping'));
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await peer.send(modernMessage('server/discover'));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('asks live, whatever the call claims', async () => {
    const { peer } = await openHandshake({ elicitation: {} });
    await peer.send(modernMessage('tools/call', { name: 'ask_name', arguments: {} }));
    const leg = await peer.next();
    expect(leg).toMatchObject({ method: 'elicitation/create', params: { message: 'Your name?' } });
    await peer.answer(leg, { action: 'accept', content: { name: 'Ada' } });
    expect(await peer.next()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'Hello Ada' }] },
    });
  });

  it('refuses a request id that is in flight, and goes on with the first', async () => {
    const { peer } = await openHandshake({ elicitation: {} });
    await peer.callTool('ask_name');
    const leg = await peer.next();
    await peer.request('tools/call', ECHO, 101);
    expect(await peer.next()).toMatchObject({ id: 101, error: { code: -32600 } });
    await peer.answer(leg, { action: 'decline' });
    expect(await peer.next()).toMatchObject({ id: 101, result: { content: [{ text: 'declined' }], isError: true } });
  });
});
