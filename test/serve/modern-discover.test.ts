import { createMcpHandler } from 'mcp-dual-era/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import type { SdkName } from '../support/sdk.ts';
import { mirroredPost } from './mirrored-post.ts';
import { factoryOf } from './modern-factories.ts';
import { modern } from './modern-message.ts';
import {
  describeModern,
  type ModernSession,
  openModernSession,
  type ServedOverHttp,
  serveModern,
} from './modern-session.ts';
import { mirrorHeaders } from './play-vector.ts';

/** What `server/discover` tells of the server of features. */
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {
    logging: {},
    completions: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  },
  instructions: 'Use them all.',
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'features', version: '1', title: 'All features' } },
};

describeModern('[M1a] server/discover', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  it('[F20] tells what the server is and can do', async () => {
    const { answer, status } = await session.tell(modern('server/discover'));
    expect(answer['result']).toStrictEqual(DISCOVERED);
    expect(status).toBe(transport === 'http' ? 200 : 0);
  });

  it('is not in the way of what follows', async () => {
    const { answer } = await session.tell(modern('tools/list'));
    expect(answer['result']).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const [tool] = answer['result'].tools as Json[];
    expect(tool).toMatchObject({ name: 'echo', inputSchema: { properties: { text: { type: 'string' } } } });
    // The revision has no tasks: what SDK v1 lists of them is left out.
    expect(tool).not.toHaveProperty('execution');
  });
});

describe.each(['newest', 'oldest'] as const)('an endpoint with sessions (%s SDK v1)', (sdk: SdkName) => {
  let served: ServedOverHttp;
  beforeAll(async () => {
    served = await serveModern({ factory: 'features', sdk });
    await served.connect().peer.handshake();
  });
  afterAll(() => served.close());

  it('[F16] answers server/discover without one', async () => {
    const message = modern('server/discover');
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { ...headers, ...mirrorHeaders(message) },
      body: JSON.stringify(message),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ id: message['id'], result: DISCOVERED });
    expect(served.handler.stats().sessions).toBe(1);
  });

  it.each([
    ['of no session', () => 'stray'],
    ['of an open session', (open: string) => open],
  ])('[F19] passes over a Mcp-Session-Id %s', async (_name, idOf) => {
    const { client, peer, tell } = served.connect();
    await peer.handshake();
    for (const method of ['server/discover', 'tools/list', 'resources/list']) {
      const message = modern(method);
      const headers = { ...mirrorHeaders(message), 'mcp-session-id': idOf(String(client.sessionId)) };
      const { status, answer } = await tell(message, headers);
      expect([status, answer['result'].resultType]).toEqual([200, 'complete']);
    }
  });

  it('[F20] answers the same through fetch', async () => {
    const handler = createMcpHandler(factoryOf({ factory: 'features', sdk }, () => undefined));
    const message = modern('server/discover');
    const response = await handler.fetch(mirroredPost(message, {}));
    expect(((await response.json()) as Json)['result']).toStrictEqual(DISCOVERED);
    await handler.close();
  });
});

describeModern('cacheHints', (transport, sdk) => {
  it('go out with the operations they are for', async () => {
    const options = {
      cacheHints: {
        'server/discover': { ttlMs: 1000, cacheScope: 'public' as const },
        'tools/list': { ttlMs: 2000 },
        'resources/read': { ttlMs: 3000, cacheScope: 'public' as const },
      },
    };
    const session = await openModernSession(transport, { factory: 'features', sdk, options });
    const hintsOf = async (method: string, params: Json = {}) => {
      const { ttlMs, cacheScope } = (await session.tell(modern(method, params))).answer['result'];
      return [ttlMs, cacheScope];
    };
    expect(await hintsOf('server/discover')).toEqual([1000, 'public']);
    expect(await hintsOf('tools/list')).toEqual([2000, 'private']);
    expect(await hintsOf('resources/read', { uri: 'file:///cfg.json' })).toEqual([3000, 'public']);
    expect(await hintsOf('prompts/list')).toEqual([0, 'private']);
    expect(await hintsOf('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toEqual([undefined, undefined]);
    await session.close();
  });
});
