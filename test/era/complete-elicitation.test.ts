import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completeElicitation, inputContext, inputRequired, shimTransport, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { validatorFor } from '../core/spec-schemas.ts';
import { ALL_CAPABILITIES, ask, outcomeOf, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { said, toolServer } from '../support/own-server.ts';
import type { HandshakeParams, Peer } from '../support/peer.ts';
import { textOf } from '../support/play-server.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { serveFactory } from '../support/serve-factory.ts';

const URL_CAPABLE = { elicitation: { url: {} } };

it.each([undefined, null, {}, 'server'])('completeElicitation refuses %j in place of a server', async (server) => {
  await expect(completeElicitation(server as never, 'id')).rejects.toMatchObject({
    code: 'NOT_A_SERVER',
    message: expect.stringMatching(/^completeElicitation needs an McpServer or a Server of .+, got /),
  });
});

describe('[A11] the elicitationId of a URL that was asked', () => {
  it('is the one the client was given, for the rest of the call', async () => {
    const seen: unknown[] = [];
    const session: PlaySession = await openPlay((context) => {
      seen.push(context.elicitationId('auth'), context.elicitationId('other'));
      if (context.round === 0) return ask({ auth: url() });
      return context.round === 1 ? ask({ other: url('Pay') }) : 'done';
    });
    onTestFinished(session.close);
    await session.run();
    const auth = await session.peer.next();
    await session.peer.answer(auth, { action: 'accept' });
    const other = await session.peer.next();
    await session.peer.answer(other, { action: 'decline' });
    expect(textOf(await session.peer.next())).toBe('done');
    const [first, second] = [auth['params'].elicitationId, other['params'].elicitationId];
    expect(seen).toEqual([undefined, undefined, first, undefined, first, second]);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    await expectNothingLeft(session);
  });

  it('is the one the handler gave', async () => {
    const session = await openPlay((context) =>
      context.round === 0
        ? ask({ auth: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://a.example', elicitationId: 'e-1' }) })
        : String(context.elicitationId('auth')),
    );
    onTestFinished(session.close);
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept' });
    expect(textOf(await session.peer.next())).toBe('e-1');
  });

  it('is the last one where it was asked twice', async () => {
    const session = await openPlay((context) =>
      context.round < 2 ? ask({ auth: url() }) : String(context.elicitationId('auth')),
    );
    onTestFinished(session.close);
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept' });
    const again = await session.peer.next();
    await session.peer.answer(again, { action: 'accept' });
    expect(textOf(await session.peer.next())).toBe(again['params'].elicitationId);
  });

  it.each(['__proto__', 'constructor'])('is found under the key %s only if it was asked under it', async (key) => {
    const session = await openPlay((context) =>
      context.round === 0
        ? JSON.parse(JSON.stringify(ask({})).replace('{}', `{${JSON.stringify(key)}:${JSON.stringify(url())}}`))
        : JSON.stringify([typeof context.elicitationId(key), typeof context.elicitationId('toString')]),
    );
    onTestFinished(session.close);
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept' });
    expect(textOf(await session.peer.next())).toBe('["string","undefined"]');
  });

  it('is not that of another call', async () => {
    const session = await openPlay((context) =>
      context.round === 0 ? (context.elicitationId('auth') ?? ask({ auth: url() })) : 'done',
    );
    onTestFinished(session.close);
    for (let call = 0; call < 2; call += 1) {
      await session.run();
      await session.peer.answer(await session.peer.next(), { action: 'accept' });
      expect(textOf(await session.peer.next())).toBe('done');
    }
  });
});

/** What each way of serving makes of a server with the tool `tool`. */
const SERVERS: readonly (readonly [string, (sdk: SdkName) => Connected])[] = [
  ['a wrapped McpServer', (sdk) => ({ server: toolServer(() => said('x'), {}, sdk).server as McpServer })],
  [
    'a wrapped low-level Server',
    (sdk) => {
      const { Server: LowLevel } = sdkNamed(sdk);
      const server = new LowLevel({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
      return { server: withInputRequiredShim(server as Server) };
    },
  ],
  [
    'a wrapped transport',
    (sdk) => {
      const { McpServer: HighLevel } = sdkNamed(sdk);
      const server = new HighLevel({ name: 'bare', version: '1' }) as McpServer;
      const connect = server.connect.bind(server);
      server.connect = (transport) => connect(shimTransport(transport));
      return { server };
    },
  ],
];

interface Connected {
  readonly server: McpServer | Server;
}

async function open(made: Connected, handshake: HandshakeParams, sdk: SdkName = 'newest'): Promise<Peer> {
  const { peer, close } = await connectMemory(made.server as never, sdk);
  onTestFinished(close);
  await peer.handshake(handshake);
  return peer;
}

/** Nothing went out to the peer before the answer to a ping. */
async function expectNothingSent(peer: Peer): Promise<void> {
  const id = await peer.request('ping', {});
  expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
}

describe.each(SERVERS)('[A12] completeElicitation on %s', (_name, make) => {
  it.each(['newest', 'oldest'] as const)(
    'tells a client of 2025-11-25 that declared URL mode (%s SDK v1)',
    async (sdk) => {
      const made = make(sdk);
      const peer = await open(made, { capabilities: URL_CAPABLE }, sdk);
      expect(await completeElicitation(made.server, 'e-1')).toBe(true);
      const message = await peer.next();
      expect(message).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/elicitation/complete',
        params: { elicitationId: 'e-1' },
      });
      const validate = validatorFor('2025-11-25', 'ElicitationCompleteNotification');
      validate(message);
      expect(validate.errors ?? []).toEqual([]);
      await expectNothingSent(peer);
    },
  );

  it.each<[string, HandshakeParams]>([
    ['on 2025-06-18', { revision: '2025-06-18', capabilities: URL_CAPABLE }],
    ['on 2025-03-26', { revision: '2025-03-26', capabilities: URL_CAPABLE }],
    ['to a client with forms only', { capabilities: { elicitation: { form: {} } } }],
    ['to a client with elicitation: {}', { capabilities: { elicitation: {} } }],
    ['to a client without elicitation', { capabilities: {} }],
    ['to a client whose URL mode is no object', { capabilities: { elicitation: { form: {}, url: true } } }],
  ])('sends nothing %s', async (_case, handshake) => {
    const made = make('newest');
    const peer = await open(made, handshake);
    expect(await completeElicitation(made.server, 'e-1')).toBe(false);
    await expectNothingSent(peer);
  });

  it('sends nothing without an id', async () => {
    const made = make('newest');
    const peer = await open(made, { capabilities: ALL_CAPABILITIES });
    expect(await completeElicitation(made.server, undefined)).toBe(false);
    await expectNothingSent(peer);
  });

  it('sends nothing before the server is connected, before the handshake, and after the end', async () => {
    const made = make('newest');
    expect(await completeElicitation(made.server, 'e-1')).toBe(false);
    const { peer, close } = await connectMemory(made.server as never);
    expect(await completeElicitation(made.server, 'e-1')).toBe(false);
    await expectNothingSent(peer);
    await peer.handshake({ capabilities: URL_CAPABLE });
    await close();
    expect(await completeElicitation(made.server, 'e-1')).toBe(false);
    expect(await peer.rest(20)).toEqual([]);
  });

  it.each([[7], [null], [{}], [['e-1']]])('refuses an id that is no string: %j', async (id) => {
    const made = make('newest');
    await expect(completeElicitation(made.server, id as never)).rejects.toThrow(
      /^elicitationId must be a string, got (7|null|an object|an array)$/,
    );
    await expect(completeElicitation(made.server, id as never)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('[A12] completeElicitation', () => {
  it('sends nothing where no middleware is', async () => {
    const { McpServer: HighLevel } = sdkNamed('newest');
    const server = new HighLevel({ name: 'bare', version: '1' });
    const peer = await open({ server }, { capabilities: URL_CAPABLE });
    expect(await completeElicitation(server, 'e-1')).toBe(false);
    await expectNothingSent(peer);
  });

  it('passes on what the transport throws', async () => {
    const { server } = toolServer(() => said('x'));
    const { peer, far, close } = await connectMemory(server);
    onTestFinished(close);
    await peer.handshake({ capabilities: URL_CAPABLE });
    far.send = () => Promise.reject(new Error('the pipe is broken'));
    await expect(completeElicitation(server, 'e-1')).rejects.toThrow('the pipe is broken');
  });

  it('tells what a sign-in of this call came to, after the call', async () => {
    const done: Promise<boolean>[] = [];
    const { server } = toolServer((extra) => {
      const context = inputContext(extra);
      const action = context.elicitResult('auth')?.action;
      if (action === undefined) {
        const auth = inputRequired.elicitUrl({ message: 'Sign in', url: 'http://localhost:3000/start' });
        return inputRequired({ inputRequests: { auth } });
      }
      done.push(completeElicitation(server, context.elicitationId('auth')));
      return said(action);
    });
    const { peer, close } = await connectMemory(server);
    onTestFinished(close);
    await peer.handshake({ capabilities: URL_CAPABLE });
    await peer.callTool('tool');
    const leg = await peer.next();
    await peer.answer(leg, { action: 'accept' });
    const messages: Json[] = [await peer.next(), await peer.next()];
    const completed = messages.find((message) => message['method'] === 'notifications/elicitation/complete');
    expect(completed?.['params']).toEqual({ elicitationId: leg['params'].elicitationId });
    expect(await Promise.all(done)).toEqual([true]);
  });

  it('has no id to complete on 2025-06-18, where the URL itself is refused', async () => {
    const session = await openPlay(
      (context) => {
        expect(context.elicitationId('auth')).toBeUndefined();
        return ask({ auth: url() });
      },
      { revision: '2025-06-18' },
    );
    onTestFinished(session.close);
    await session.run();
    expect(outcomeOf(await session.peer.next())).toMatchObject({ reason: 'unsupported', revision: '2025-06-18' });
  });

  it('reaches the client over HTTP on the stream that it keeps open', async () => {
    const servers: McpServer[] = [];
    const served = await serveFactory(() => {
      const { server } = toolServer(() => said('x'));
      servers.push(server as McpServer);
      return server;
    });
    onTestFinished(() => served.close());
    const { peer, link } = served.connect();
    await peer.handshake({ capabilities: URL_CAPABLE });
    await link.openGet();
    expect(await completeElicitation(servers[0] as McpServer, 'e-1')).toBe(true);
    expect(await peer.next()).toMatchObject({ params: { elicitationId: 'e-1' } });
  });
});
