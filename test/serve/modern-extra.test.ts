import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { CLIENT_INFO } from './malformed-request.ts';
import { mirroredPost } from './mirrored-post.ts';
import { callOf, textOf } from './modern-message.ts';
import {
  describeModern,
  type ModernSession,
  openModernSession,
  type ServedOverHttp,
  serveModern,
} from './modern-session.ts';
import { mirrorHeaders } from './play-vector.ts';

describeModern('[M1f] what a handler knows of a modern request', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  it("has the vendor's _meta, and nothing of the envelope", async () => {
    const meta = { 'acme/trace': { id: 7 }, traceparent: '00-1-2-01', progressToken: 'p' };
    const { answer } = await session.tell(callOf('extra', {}, { meta }));
    expect(JSON.parse(textOf(answer))['meta']).toEqual(meta);
  });

  it('has nothing of tasks, which are no part of its revision', async () => {
    const meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' }, traceparent: '00-1-2-01' };
    const request = callOf('extra', {}, { meta, capabilities: { tasks: { list: {} }, roots: {} } });
    const { answer } = await session.tell({ ...request, params: { ...request['params'], task: { ttl: 60_000 } } });
    expect(JSON.parse(textOf(answer))['meta']).toEqual({ traceparent: '00-1-2-01' });
    const client = await session.tell(callOf('client', {}, { capabilities: { tasks: { list: {} }, roots: {} } }));
    expect(JSON.parse(textOf(client.answer))['before']).toEqual({ roots: {} });
  });

  it('has no session', async () => {
    const { answer } = await session.tell(callOf('extra'));
    expect(JSON.parse(textOf(answer))).toMatchObject({ sessionId: null, caller: null });
  });

  it.each([
    ['nothing', {}, {}],
    ['forms', { elicitation: {} }, { elicitation: { form: {} } }],
    [
      'everything',
      { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} },
      { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} },
    ],
    ['its own things', { experimental: { acme: { deep: 1 } } }, { experimental: { acme: { deep: 1 } } }],
  ])('[F28] has the capabilities of this request: %s', async (_name, capabilities, read) => {
    const { answer } = await session.tell(callOf('client', {}, { capabilities }));
    const { before, after } = JSON.parse(textOf(answer));
    expect([before, after]).toStrictEqual([read, read]);
  });

  it('[F28] has those of its own request where two run at once', async () => {
    const declared: Json[] = [{ elicitation: { url: {} } }, { roots: {} }];
    const requests = declared.map((capabilities, index) =>
      callOf(
        'client',
        { meets: true },
        { capabilities, meta: { [CLIENT_INFO]: { name: `client ${index}`, version: '1' } } },
      ),
    );
    await Promise.all(requests.map((request) => session.peer.send(request)));
    const heard = new Map<unknown, Json>();
    for (const _ of requests) {
      const answer = await session.peer.next();
      heard.set(answer['id'], JSON.parse(textOf(answer)) as Json);
    }
    expect(requests.map(({ id }) => heard.get(id))).toEqual(
      declared.map((capabilities, index) => ({ before: capabilities, after: capabilities, name: `client ${index}` })),
    );
  });
});

describe.each(['newest', 'oldest'] as const)('what a handler knows of a modern HTTP request (%s SDK v1)', (sdk) => {
  let served: ServedOverHttp;
  beforeAll(async () => {
    served = await serveModern({ factory: 'features', sdk });
  });
  afterAll(() => served.close());

  const readExtra = async (headers: Record<string, string>): Promise<Json> => {
    const request = callOf('extra');
    const { answer } = await served.tell(request, { ...mirrorHeaders(request), ...headers });
    return JSON.parse(textOf(answer)) as Json;
  };

  it('has who authenticated it', async () => {
    expect(await readExtra({ 'x-test-caller': 'client/ada' })).toMatchObject({
      caller: { clientId: 'client', more: { sub: 'ada', iss: 'https://issuer.test' } },
    });
    expect(await readExtra({})).toMatchObject({ caller: null });
  });

  it('has the headers and the address', async () => {
    expect(await readExtra({ 'X-Vendor': 'acme' })).toMatchObject({ header: 'acme', path: served.url.pathname });
    expect(await readExtra({})).toMatchObject({ header: null });
  });
});

describe('what a factory knows of a modern HTTP request', () => {
  it('is its era, who authenticated it, and the request', async () => {
    const contexts: Json[] = [];
    const { createMcpHandler } = await import('mcp-dual-era/serve');
    const { factoryOf } = await import('./modern-factories.ts');
    const factory = factoryOf({ factory: 'features' }, () => undefined);
    const handler = createMcpHandler(({ era, authInfo, requestInfo }) => {
      contexts.push({ era, clientId: authInfo?.clientId, vendor: requestInfo?.headers.get('x-vendor') });
      return factory({ era });
    });
    const message = callOf('echo', { text: 'hi' });
    const request = mirroredPost(message, { 'x-vendor': 'acme' });
    const response = await handler.fetch(request, { authInfo: { token: 't', clientId: 'client', scopes: [] } });
    expect(textOf((await response.json()) as Json)).toBe('hi');
    expect(contexts).toEqual([{ era: 'modern', clientId: 'client', vendor: 'acme' }]);
    await handler.close();
  });
});
