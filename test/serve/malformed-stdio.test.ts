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
  openModern,
  openServer,
  pinModern,
  refusalOf,
  startVectorServer,
} from './open-vector-server.ts';

/** A message that would be answered, but for its changes. */
const bad = (changes: object): string => JSON.stringify({ ...AFTER, id: 'bad', ...changes });

describe('a line that is no message', () => {
  let server: PipedServer;
  beforeAll(async () => {
    server = startVectorServer();
    await pinModern(server);
  }, 60_000);
  afterAll(() => server.close());

  it.each([
    ['text', 'hello'],
    ['an empty line', ''],
    ['blanks', '  \t'],
    ['a truncated message', '{"jsonrpc":"2.0","id":1,"method":'],
    ['a NUL byte', '\0'],
    ['null', 'null'],
    ['a number', '42'],
    ['a string', '"tools/list"'],
    ['an object without members', '{}'],
    ['a list', '[]'],
    ['a batch', `[${bad({})}]`],
    ['id null', bad({ id: null })],
    ['an id that is an object', bad({ id: {} })],
    ['jsonrpc 1.0', bad({ jsonrpc: '1.0' })],
    ['params that are a list', bad({ params: [] })],
    ['an answer to nothing', '{"jsonrpc":"2.0","id":"leg","result":{}}'],
  ])('is passed over: %s', async (_name, line) => {
    server.stdin.write(`${line}\n`);
    await server.peer.send(AFTER);
    expect(await server.peer.next()).toMatchObject(ANSWERED);
  });

  it('is passed over in UTF-16', async () => {
    server.stdin.write(Buffer.from('hello', 'utf16le'));
    server.stdin.write('\n');
    await server.peer.send(AFTER);
    expect(await server.peer.next()).toMatchObject(ANSWERED);
  });
});

describe('lines', () => {
  it('may end as on Windows, and come in pieces, or several at once', async () => {
    const { peer, stdin } = openServer();
    const [first = '', second, third] = [1, 2, 3].map((id) => JSON.stringify({ ...AFTER, id }));
    stdin.write(first.slice(0, 40));
    stdin.write(`${first.slice(40)}\r\n${second}\r\n${third}\n`);
    const answers = [await peer.next(), await peer.next(), await peer.next()];
    expect(answers.map(({ id, result }) => [id, result?.resultType]).sort()).toEqual([
      [1, 'complete'],
      [2, 'complete'],
      [3, 'complete'],
    ]);
  });

  it('of 9 MB are read', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(9_000_000) } }));
    expect((await peer.next())['result'].content[0].text).toHaveLength(9_000_000);
  });

  it('of 11 MB end everything', async () => {
    const { peer, stdin, exited } = await openModern();
    // The pipe breaks while the rest of the line is on its way.
    stdin.on('error', () => undefined);
    stdin.write(
      JSON.stringify(modernMessage('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(11_000_000) } })),
    );
    expect(await exited).toBe(0);
    expect(await peer.rest(0)).toEqual([]);
  });
});

describe('the first message', () => {
  it('[F17] is served in the era it claims, once, when it is a tools/call', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('tools/call', ECHO));
    expect(await peer.next()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'hi' }] },
    });
    expect(await peer.rest()).toEqual([]);
  });

  it.each([['2099-01-01'], ['2025-11-25'], ['zzz']])('that claims %s is refused and pins nothing', async (version) => {
    const { peer } = openServer();
    await peer.send(claiming(version));
    expect(await peer.next()).toMatchObject(refusalOf(version));
    await peer.send(plain('initialize', OPENING));
    expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  });

  it('with a broken envelope is refused and pins nothing', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('tools/list', {}, { meta: { [CAPABILITIES]: null } }));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32602 } });
    await peer.send(plain('initialize', OPENING));
    expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  });

  it('opens the handshake era when it is an initialize with a broken claim', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('initialize', OPENING, { meta: { [CAPABILITIES]: null } }));
    expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  });

  it('is a method nobody knows when it is an initialize with a claim', async () => {
    const { peer } = openServer();
    await peer.send(modernMessage('initialize', OPENING));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('pins the handshake era when it has no claim', async () => {
    const { peer } = openServer();
    await peer.send(plain('ping'));
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await peer.send(modernMessage('server/discover'));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32601 } });
  });
});

describe('the end of stdin', () => {
  it('ends everything before any message', async () => {
    const { stdin, exited } = openServer();
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything after a probe', async () => {
    const { peer, stdin, exited } = openServer();
    await peer.send(modernMessage('server/discover'));
    await peer.next();
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything of a modern connection', async () => {
    const { stdin, exited } = await openModern();
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything with a listener open', async () => {
    const { peer, stdin, exited } = await openModern();
    await peer.send(modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } }));
    expect(await peer.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything of a handshake connection', async () => {
    const { stdin, exited } = await openHandshake();
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything with a question open', async () => {
    const { peer, stdin, exited } = await openHandshake({ elicitation: {} });
    await peer.callTool('ask_name');
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('ends everything in the middle of a line', async () => {
    const { stdin, exited } = await openModern();
    stdin.end(JSON.stringify(AFTER).slice(0, 40));
    expect(await exited).toBe(0);
  });
});
