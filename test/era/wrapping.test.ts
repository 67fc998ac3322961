import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { DualEraError, withInputRequiredShim, withoutInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, stateOnly, told, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { METHODS } from '../support/matrix.ts';
import { connectPeer } from '../support/own-server.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const QUIET = { event: () => undefined, run: () => undefined };
const WRAPS = [
  ['withInputRequiredShim', withInputRequiredShim],
  ['withoutInputRequiredShim', withoutInputRequiredShim],
] as const;
const SERVERS = [
  ['McpServer', () => new McpServer({ name: 'own', version: '1' })],
  ['Server', () => new Server({ name: 'own', version: '1' }, { capabilities: {} })],
] as const;

function codeAndMessage(run: () => unknown): [string, string] {
  try {
    run();
  } catch (error) {
    if (DualEraError.isInstance(error)) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe.each(WRAPS)('%s', (name, wrap) => {
  it.each(SERVERS)('returns the %s itself', (_kind, create) => {
    const server = create();
    expect(wrap(server)).toBe(server);
  });

  it.each(SERVERS)('refuses a %s that is connected', async (_kind, create) => {
    const server = create();
    await server.connect(InMemoryTransport.createLinkedPair()[1]);
    onTestFinished(() => server.close());
    expect(codeAndMessage(() => wrap(server))).toEqual([
      'ALREADY_CONNECTED',
      `Call ${name} before server.connect(): this server is connected.`,
    ]);
  });

  it.each(SERVERS)('refuses a %s a second time', (_kind, create) => {
    const server = wrap(create());
    expect(codeAndMessage(() => wrap(server))).toEqual([
      'ALREADY_WRAPPED',
      `Call ${name} once for a server: this one has been given to it before.`,
    ]);
  });

  it('refuses the Server of an McpServer that is wrapped', () => {
    const server = wrap(new McpServer({ name: 'own', version: '1' }));
    expect(codeAndMessage(() => wrap(server.server))[0]).toBe('ALREADY_WRAPPED');
  });

  it.each([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a transport', InMemoryTransport.createLinkedPair()[0], 'an object'],
    ['a class', McpServer, 'a function'],
  ])('refuses what is no server: %s', (_kind, value, got) => {
    expect(codeAndMessage(() => wrap(value as never))).toEqual([
      'NOT_A_SERVER',
      `${name} needs an McpServer or a Server of @modelcontextprotocol/sdk, got ${got}`,
    ]);
  });
});

describe('the switch', () => {
  /** The outcome of one ask, or what the handler told. */
  async function outcome(server: McpServer) {
    const peer = await connectPeer(server, CAPABLE);
    await play(peer, [ask({ who: form() })]);
    const message = await peer.next();
    if (!('method' in message)) return outcomeOf(message)['reason'];
    await peer.answer(message, ADA);
    return told(await peer.next())['responses'];
  }

  it('goes off with withoutInputRequiredShim after withInputRequiredShim', async () => {
    expect(await outcome(withoutInputRequiredShim(createScriptServer({}, QUIET)))).toBe('shim-off');
  });

  it('goes on with withInputRequiredShim after withoutInputRequiredShim', async () => {
    const server = withInputRequiredShim(createScriptServer({ mode: 'off' }, QUIET));
    expect(await outcome(server)).toEqual({ who: ADA });
  });

  it('goes off and back on', async () => {
    const server = withoutInputRequiredShim(createScriptServer({}, QUIET));
    expect(await outcome(withInputRequiredShim(server))).toEqual({ who: ADA });
  });

  it('takes the options of the last one', async () => {
    const server = withInputRequiredShim(createScriptServer({ mode: 'off' }, QUIET), { maxRounds: 1 });
    const peer = await connectPeer(server, CAPABLE);
    await play(peer, [ask({ a: form() }), ask({ b: form('And now?') })]);
    await peer.answer(await peer.next(), ADA);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'rounds-exceeded', round: 2 });
  });
});

describe('a server with the shim off', () => {
  const OFF = { mode: 'off' as const };

  it.each(METHODS)('refuses the ask of %s loudly, names the cure and sends nothing (F48)', async (method) => {
    const { peer, runs } = await clockSession(CAPABLE, OFF);
    await peer.request(method, scriptParams(method, [ask({ who: form() })]));
    const answer = await peer.next();
    expect(outcomeOf(answer)).toMatchObject({ reason: 'shim-off', method, round: 1 });
    expect(answer['error']?.message ?? answer['result'].content[0].text).toContain(
      'it has to ask something, and asking is switched off on this server (wrap the server with ' +
        'withInputRequiredShim before connect, or keep the handler from asking).',
    );
    expect(answer['error']?.code ?? answer['result'].isError).toBe(method === 'tools/call' ? true : -32603);
    await expectSilence(peer);
    expect(runs).toHaveLength(2);
  });

  it('refuses the ask of a client that has said nothing of itself', async () => {
    const { peer, close } = await connectMemory(createScriptServer(OFF, QUIET));
    onTestFinished(close);
    await play(peer, [ask({ who: form() })]);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'shim-off', round: 1 });
  });

  it('refuses the ask over HTTP', async () => {
    const { peer } = await session('http', CAPABLE, OFF);
    await play(peer, [ask({ who: form() })]);
    expect(outcomeOf(await peer.next())['reason']).toBe('shim-off');
    await expectSilence(peer);
  });

  it('refuses a round with a state only too', async () => {
    const { peer } = await clockSession(CAPABLE, OFF);
    await play(peer, [stateOnly({ page: 1 })]);
    expect(outcomeOf(await peer.next())['reason']).toBe('shim-off');
  });

  it('still checks the ask: a mistake of the server is -32603', async () => {
    const { peer } = await clockSession(CAPABLE, OFF);
    await play(peer, [ask({})]);
    expect((await peer.next())['error'].code).toBe(-32603);
  });

  it('still checks the ask: what the client cannot answer is unsupported', async () => {
    const { peer } = await clockSession({ capabilities: { elicitation: {} } }, OFF);
    await play(peer, [ask({ auth: url() })]);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'unsupported' });
  });

  it('tells its handlers that nothing can be asked', async () => {
    const { peer } = await clockSession(CAPABLE, OFF);
    await play(peer, []);
    expect(told(await peer.next())['canAsk']).toEqual([]);
  });

  it('serves calls that ask nothing as ever', async () => {
    const { peer } = await clockSession(CAPABLE, OFF);
    await expectSilence(peer);
  });
});

describe('a wrapped server that is connected again after it was closed', () => {
  it('is served on the new connection, by what its new client declared', async () => {
    const server = createScriptServer({}, QUIET);
    const first = await connectMemory(server);
    await first.peer.handshake(CAPABLE);
    await play(first.peer, [ask({ who: form() })]);
    await first.peer.next();
    await first.close();
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
    await play(peer, [ask({ auth: url() })]);
    expect(outcomeOf(await peer.next())['requiredCapabilities']).toEqual({ elicitation: { url: {} } });
    await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });
});
