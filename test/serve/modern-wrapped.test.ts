import {
  type DualEraEvent,
  inputContext,
  inputRequired,
  withInputRequiredShim,
  withoutInputRequiredShim,
} from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, form, NAME_FORM, outcomeOf } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { Peer } from '../support/peer.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { StreamClient } from '../support/stream-client.ts';
import { callOf, modern, retryOf, textOf } from './modern-message.ts';
import { describeModern, openModernSession } from './modern-session.ts';
import { listenNode } from './node-server.ts';
import { mirrorHeaders } from './play-vector.ts';

const capabilities = { elicitation: {} };
type Server = InstanceType<ReturnType<typeof sdkNamed>['McpServer']>;

/** Serves a tool that asks a name, on a server that `wrap` has had. */
async function serveWrapped(sdk: SdkName, wrap: (server: Server) => unknown, options: object = {}) {
  const { McpServer } = sdkNamed(sdk);
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'wrapped', version: '1' });
    server.registerTool('greet', {}, async (extra) => {
      const context = inputContext(extra);
      const name = context.accepted<{ name: string }>('who')?.name;
      if (name !== undefined) return { content: [{ type: 'text', text: `Hello ${name}` }] };
      if (context.round > 2) return { content: [{ type: 'text', text: `nobody after ${context.round}` }] };
      const who = inputRequired.elicit({ message: 'Your name?', requestedSchema: NAME_FORM as never });
      return inputRequired({ inputRequests: { who }, requestState: { round: context.round } });
    });
    wrap(server);
    return server;
  }, options);
  const { url, close } = await listenNode((request, response) => handler.node(request, response));
  const connect = () => {
    const client = new StreamClient(url);
    const send = (message: unknown) => client.send(message, mirrorHeaders(message as Json));
    return new Peer({ send, close: () => client.close() }, client.inbox);
  };
  onTestFinished(async () => {
    await handler.close();
    await close();
  });
  const tell = async (request: Json): Promise<Json> => {
    const peer = connect();
    await peer.send(request);
    return peer.next();
  };
  return { connect, tell };
}

describe.each(['newest', 'oldest'] as const)('[M2i] a server that its factory has wrapped (%s SDK v1)', (sdk) => {
  it('keeps its own options on both legs', async () => {
    const own: DualEraEvent[] = [];
    const served: DualEraEvent[] = [];
    const { connect, tell } = await serveWrapped(
      sdk,
      (server) =>
        withInputRequiredShim(server, {
          maxRounds: 1,
          onEvent: (event) => own.push(event),
          requestState: { keys: '0123456789abcdef0123456789abcdef' },
        }),
      { inputRequired: { maxRounds: 5, onEvent: (event: DualEraEvent) => served.push(event) } },
    );
    const handshake = connect();
    await handshake.handshake({ capabilities });
    await handshake.callTool('greet');
    await handshake.answer(await handshake.next(), { action: 'accept', content: {} });
    expect(outcomeOf(await handshake.next())).toMatchObject({ reason: 'rounds-exceeded', round: 2 });
    const request = callOf('greet', {}, { capabilities });
    const asked = await tell(request);
    const refused = await tell(retryOf(request, { result: { requestState: `${asked['result'].requestState}x` } }, {}));
    expect(refused['error'].code).toBe(-32602);
    expect(own.map(({ type }) => type)).toContain('round-start');
    expect(own.at(-1)).toMatchObject({ type: 'state-refused', method: 'tools/call' });
    expect(served).toEqual([]);
  });

  it('opens a state that another server of the same key sealed', async () => {
    const requestState = { keys: 'abcdefghijklmnopqrstuvwxyz012345' };
    const one = await serveWrapped(sdk, (server) => withInputRequiredShim(server, { requestState }));
    const other = await serveWrapped(sdk, (server) => server, { inputRequired: { requestState } });
    const request = callOf('greet', {}, { capabilities });
    const asked = await one.tell(request);
    expect(textOf(await other.tell(retryOf(request, asked, { who: ADA })))).toBe('Hello Ada');
  });

  it('asks modern clients and no others where it was wrapped by withoutInputRequiredShim', async () => {
    const { connect, tell } = await serveWrapped(sdk, (server) => withoutInputRequiredShim(server));
    const handshake = connect();
    await handshake.handshake({ capabilities });
    await handshake.callTool('greet');
    expect(outcomeOf(await handshake.next())).toMatchObject({ reason: 'shim-off' });
    const request = callOf('greet', {}, { capabilities });
    const asked = await tell(request);
    expect(asked['result'].inputRequests).toStrictEqual({ who: form() });
    expect(textOf(await tell(retryOf(request, asked, { who: ADA })))).toBe('Hello Ada');
  });

  it('asks modern clients also where the shim is off for handshake connections', async () => {
    const { connect, tell } = await serveWrapped(sdk, (server) => server, { inputRequired: false });
    const handshake = connect();
    await handshake.handshake({ capabilities });
    await handshake.callTool('greet');
    // Nobody answers the ask: the builder's own words, which are an error.
    expect((await handshake.next())['result']).toMatchObject({ isError: true });
    const request = callOf('greet', {}, { capabilities });
    const asked = await tell(request);
    expect(textOf(await tell(retryOf(request, asked, { who: ADA })))).toBe('Hello Ada');
  });
});

describeModern('a low-level Server', (transport, sdk) => {
  it('asks a modern client, and sees nothing of the retry but through its context', async () => {
    const session = await openModernSession(transport, { factory: 'low-level', sdk });
    const request = callOf('greet', {}, { capabilities });
    const { answer } = await session.tell(request);
    expect(answer['result']).toStrictEqual({
      resultType: 'input_required',
      inputRequests: { who: form() },
      requestState: expect.stringMatching(/^v1\./),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'low-level', version: '1' } },
    });
    const final = await session.tell(retryOf(request, answer, { who: ADA }));
    expect(textOf(final.answer)).toBe('Hello Ada');
    const seen = { params: ['_meta', 'arguments', 'name'], meta: [] };
    expect([await session.reports.next(), await session.reports.next()]).toEqual([seen, seen]);
    await session.close();
  });

  it('answers by its fallback handler what it has no other handler for', async () => {
    const session = await openModernSession(transport, { factory: 'low-level', sdk });
    for (const method of ['acme/anything', 'prompts/list']) {
      const { answer } = await session.tell(modern(method, {}));
      expect(answer['result']).toMatchObject({ resultType: 'complete', answered: method });
    }
    await session.close();
  });
});
