import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { type Client, type Endpoint, FACES, modern, openEndpoint, textOf } from './session-endpoint.ts';

const CFG = 'file:///cfg.json';

/** A client that has its GET stream open. */
async function listen(endpoint: Endpoint): Promise<Client & { readonly heard: Json[] }> {
  const client = await endpoint.open();
  const { messages } = await client.streams.get();
  return { ...client, heard: messages };
}

const call = async ({ peer, streams }: Client, name: string, args: Json = {}): Promise<Json[]> => {
  const id = await peer.callTool(name, args);
  await streams.post(id).ended;
  return streams.post(id).messages;
};

const methodsOf = (messages: readonly Json[]) => messages.map(({ method }) => method);

describe.each(FACES)('[M3i] a list that changes (through %s)', (face) => {
  it.each([
    ['tools', 'toolsChanged'],
    ['prompts', 'promptsChanged'],
    ['resources', 'resourcesChanged'],
  ] as const)('is told to every session by notify, once: %s', async (list, announce) => {
    const endpoint = await openEndpoint({}, { face });
    const clients = [await listen(endpoint), await listen(endpoint), await listen(endpoint)];
    endpoint.handler.notify[announce]();
    for (const { peer } of clients) {
      expect(await peer.next()).toMatchObject({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
    }
    await settle();
    for (const { heard } of clients) expect(heard).toHaveLength(1);
  });

  it('is told to every session by the server of one of them, once to its own', async () => {
    const endpoint = await openEndpoint({}, { face });
    const [first, second, third] = [await listen(endpoint), await listen(endpoint), await listen(endpoint)];
    const messages = await call(second, 'announce');
    for (const { peer } of [first, third]) {
      expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
    await settle();
    for (const { heard } of [first, third]) expect(methodsOf(heard)).toEqual(['notifications/tools/list_changed']);
    const heard = methodsOf([...second.heard, ...messages]).filter((method) => method !== undefined);
    expect(heard).toEqual(['notifications/tools/list_changed']);
  });

  it('[F21] is told to every session by the server of a modern request', async () => {
    const endpoint = await openEndpoint({}, { face });
    const clients = [await listen(endpoint), await listen(endpoint)];
    const response = await endpoint.send(modern('tools/call', { name: 'announce', arguments: {} }));
    expect(response.status).toBe(200);
    await response.text();
    for (const { peer } of clients) {
      expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
    await settle();
    for (const { heard } of clients) expect(heard).toHaveLength(1);
  });

  it('is told outside a request, by the server of a session', async () => {
    const endpoint = await openEndpoint({}, { face });
    const [first, second] = [await listen(endpoint), await listen(endpoint)];
    endpoint.servers[0]?.sendToolListChanged();
    for (const { peer } of [first, second]) {
      expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
    await settle();
    for (const { heard } of [first, second]) expect(heard).toHaveLength(1);
  });

  it('is no error where no client listens', async () => {
    const endpoint = await openEndpoint({}, { face });
    const client = await endpoint.open();
    endpoint.handler.notify.toolsChanged();
    expect(textOf((await call(client, 'announce')).at(-1) ?? {})).toBe('announced');
    expect(endpoint.errors).toEqual([]);
  });
});

describe.each(FACES)('a resource that is updated (through %s)', (face) => {
  const subscribe = async ({ peer }: Client, uri: string, method = 'resources/subscribe'): Promise<void> => {
    const id = await peer.request(method, { uri });
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
  };

  it('is told to the sessions that subscribed to it, and to no other', async () => {
    const endpoint = await openEndpoint({}, { face });
    const [first, second, other] = [await listen(endpoint), await listen(endpoint), await listen(endpoint)];
    await subscribe(first, CFG);
    await subscribe(second, 'file:///other.json');
    endpoint.handler.notify.resourceUpdated(CFG);
    const told = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: CFG } };
    expect(await first.peer.next()).toEqual(told);
    await settle();
    expect([first.heard, second.heard, other.heard]).toEqual([[told], [], []]);
  });

  it('is told by the server of another session, and of a modern request', async () => {
    const endpoint = await openEndpoint({}, { face });
    const [first, second] = [await listen(endpoint), await listen(endpoint)];
    await subscribe(first, CFG);
    await call(second, 'touch', { uri: CFG });
    expect(await first.peer.next()).toMatchObject({ params: { uri: CFG } });
    await (await endpoint.send(modern('tools/call', { name: 'touch', arguments: { uri: CFG } }))).text();
    expect(await first.peer.next()).toMatchObject({ params: { uri: CFG } });
    await settle();
    expect(first.heard).toHaveLength(2);
  });

  it('is told no more after resources/unsubscribe', async () => {
    const endpoint = await openEndpoint({}, { face });
    const client = await listen(endpoint);
    await subscribe(client, CFG);
    await subscribe(client, 'file:///other.json');
    await subscribe(client, CFG, 'resources/unsubscribe');
    endpoint.handler.notify.resourceUpdated(CFG);
    endpoint.handler.notify.resourceUpdated('file:///other.json');
    expect(await client.peer.next()).toMatchObject({ params: { uri: 'file:///other.json' } });
    expect(client.heard).toHaveLength(1);
  });
});
