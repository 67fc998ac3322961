import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, modern } from './modern-message.ts';
import { type ServedOverHttp, serveModern } from './modern-session.ts';

const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const UPDATED = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'page:///one' } };
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

describe.each(['newest', 'oldest'] as const)('[F21] a change on an endpoint of both eras (%s SDK v1)', (sdk) => {
  let served: ServedOverHttp;
  beforeAll(async () => {
    served = await serveModern({ factory: 'features', sdk });
  });
  afterAll(() => served.close());

  /** A modern client and two handshake sessions that listen. */
  const openListeners = async () => {
    const modernOne = served.connect();
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['page:///one'] };
    await modernOne.peer.send(modern('subscriptions/listen', { notifications }, { id: 'listen' }));
    expect(await modernOne.peer.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    const sessions = [served.connect(), served.connect()];
    for (const { peer, client } of sessions) {
      await peer.handshake();
      await client.get();
      await peer.request('resources/subscribe', { uri: 'page:///one' });
      expect(await peer.next()).toMatchObject({ result: {} });
    }
    const [first, second] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    const close = async () => {
      for (const { client } of [modernOne, ...sessions]) await client.close();
    };
    return { modernOne, first, second, close };
  };
  type Listeners = Awaited<ReturnType<typeof openListeners>>;

  const expectHeard = async ({ modernOne, first, second }: Listeners, message: Json) => {
    for (const { peer } of [first, second]) expect(await peer.next()).toMatchObject(message);
    expect(await modernOne.peer.next()).toMatchObject({
      ...message,
      params: { ...message['params'], _meta: { [SUBSCRIPTION]: 'listen' } },
    });
    // Each heard it once: what comes next is the next thing that is sent.
    served.handler.notify.resourceUpdated('page:///one');
    for (const { peer } of [first, second, modernOne]) expect(await peer.next()).toMatchObject(UPDATED);
  };

  it("is heard in both, when a modern request's instance announces it", async () => {
    const listeners = await openListeners();
    await served.tell(callOf('change', { what: 'tools' }));
    await expectHeard(listeners, CHANGED);
    await listeners.close();
  });

  it("is heard in both, when a handshake session's instance announces it in a call", async () => {
    const listeners = await openListeners();
    const { first, second, modernOne } = listeners;
    const id = await first.peer.callTool('change', { what: 'tools' });
    // On the stream of the call and the GET stream, in whatever order.
    const own = [await first.peer.next(), await first.peer.next()];
    expect(own.find((message) => message['id'] === id)).toBeDefined();
    expect(own.find((message) => 'method' in message)).toMatchObject(CHANGED);
    expect(await second.peer.next()).toMatchObject(CHANGED);
    expect(await modernOne.peer.next()).toMatchObject({ ...CHANGED, params: { _meta: { [SUBSCRIPTION]: 'listen' } } });
    served.handler.notify.resourceUpdated('page:///one');
    for (const { peer } of [first, second, modernOne]) expect(await peer.next()).toMatchObject(UPDATED);
    await listeners.close();
  });

  it('is heard in both, when any instance announces it outside a request', async () => {
    const listeners = await openListeners();
    const instances = [...served.open] as { sendToolListChanged(): void }[];
    for (const instance of instances.slice(-3)) {
      instance.sendToolListChanged();
      await expectHeard(listeners, CHANGED);
    }
    await listeners.close();
  });

  it('is heard in both, when the handler of the endpoint is told', async () => {
    const listeners = await openListeners();
    served.handler.notify.toolsChanged();
    await expectHeard(listeners, CHANGED);
    await listeners.close();
  });

  it('is heard by those alone who subscribed to the resource', async () => {
    const listeners = await openListeners();
    const { first, second, modernOne } = listeners;
    await first.peer.request('resources/unsubscribe', { uri: 'page:///one' });
    expect(await first.peer.next()).toMatchObject({ result: {} });
    served.handler.notify.resourceUpdated('page:///two');
    served.handler.notify.resourceUpdated('page:///one');
    for (const { peer } of [second, modernOne]) expect(await peer.next()).toMatchObject(UPDATED);
    served.handler.notify.toolsChanged();
    for (const { peer } of [first, second, modernOne]) expect(await peer.next()).toMatchObject(CHANGED);
    await listeners.close();
  });
});

describe('a modern client that listens', () => {
  it('keeps one instance, which is let go of when it goes away', async () => {
    const served = await serveModern({ factory: 'features' });
    expect(served.open.size).toBe(0);
    for (let time = 0; time < 3; time += 1) {
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['page:///one'] };
      await served.peer.send(modern('subscriptions/listen', { notifications }, { id: time }));
      await served.peer.next();
      expect(served.open.size).toBe(1);
      await served.giveUp(time);
      await vi.waitFor(() => expect(served.open.size).toBe(0));
    }
    expect(served.reports.all.map((report) => Object.keys(report)[0])).toEqual(
      Array.from({ length: 3 }, () => ['subscribed', 'unsubscribed']).flat(),
    );
    await served.close();
  });

  it('is told of the end when the endpoint closes', async () => {
    const served = await serveModern({ factory: 'features' });
    await served.peer.send(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'l' }));
    await served.peer.next();
    await served.handler.close();
    expect(await served.peer.next()).toMatchObject({
      id: 'l',
      result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 'l' } },
    });
    expect(served.open.size).toBe(0);
    await served.close();
  });

  it('leaves nothing of ordinary requests behind either', async () => {
    const served = await serveModern({ factory: 'features' });
    const requests = [
      callOf('echo', { text: 'hi' }),
      callOf('nope'),
      modern('tools/list'),
      modern('server/discover'),
      modern('ping'),
      modern('acme/sum', { terms: [1] }),
    ];
    for (const request of requests) await served.tell(request);
    await vi.waitFor(() => expect(served.open.size).toBe(0));
    expect(served.handler.stats()).toMatchObject({ sessions: 0, modern: { inFlight: 0 }, holds: { held: 0 } });
    await served.close();
  });
});
