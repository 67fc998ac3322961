import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { memoryEventStore } from '../support/event-store.ts';
import {
  ADA,
  ASKABLE,
  type Client,
  type Endpoint,
  FACES,
  initialize,
  openEndpoint,
  textOf,
} from './session-endpoint.ts';

const open = async (endpoint: Endpoint, caller?: string): Promise<Client> => {
  const client = await endpoint.open(ASKABLE, caller);
  client.streams.revision = '2025-11-25';
  return client;
};

describe.each(FACES)('[M3g] a stream with an event store (through %s)', (face) => {
  it('is resumed where it broke off: a call', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } }, { face });
    const { peer, streams } = await open(endpoint);
    const id = await peer.callTool('ask');
    const leg = await peer.next();
    const stream = streams.post(id);
    stream.drop();
    await stream.ended;
    await peer.answer(leg, ADA);
    await vi.waitFor(() => expect(endpoint.handler.stats().holds.held).toBe(0));
    const resumed = await streams.get(stream.lastEventId);
    const answer = await peer.next();
    expect(answer['id']).toBe(id);
    expect(textOf(answer)).toBe('accept Ada');
    expect(resumed.messages).toEqual([answer]);
  });

  it('is resumed where it broke off: the GET stream', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } }, { face });
    const { peer, streams } = await open(endpoint);
    const get = await streams.get();
    endpoint.handler.notify.toolsChanged();
    expect(await peer.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    get.drop();
    await get.ended;
    endpoint.handler.notify.promptsChanged();
    endpoint.handler.notify.resourcesChanged();
    const resumed = await streams.get(get.lastEventId);
    expect(await peer.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    expect(await peer.next()).toMatchObject({ method: 'notifications/resources/list_changed' });
    expect(resumed.messages).toHaveLength(2);
  });

  it('is not resumed by another session, which gets nothing of it', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } }, { face });
    const [ada, eve] = [await open(endpoint), await open(endpoint)];
    const id = await ada.peer.callTool('ask');
    const leg = await ada.peer.next();
    const stream = ada.streams.post(id);
    const stolen = await eve.streams.get(stream.lastEventId);
    await stolen.ended;
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(stolen.messages)).not.toContain('elicitation');
    await ada.peer.answer(leg, ADA);
    expect(textOf(await ada.peer.next())).toBe('accept Ada');
    const afterwards = await eve.streams.get(stream.lastEventId);
    await afterwards.ended;
    expect(afterwards.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(afterwards.messages)).not.toContain('Ada');
  });

  it('is not resumed by another session, of the GET streams, which SDK v1 names alike', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } }, { face });
    const [ada, eve] = [await open(endpoint), await open(endpoint)];
    const get = await ada.streams.get();
    endpoint.handler.notify.toolsChanged();
    await ada.peer.next();
    const { lastEventId } = get;
    get.drop();
    await get.ended;
    endpoint.handler.notify.promptsChanged();
    const stolen = await eve.streams.get(lastEventId);
    await stolen.ended;
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(stolen.messages)).not.toContain('list_changed');
    await ada.streams.get(lastEventId);
    expect(await ada.peer.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it('[F51] is not resumed by somebody else, who knows the session', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } }, { face });
    const { peer, streams } = await open(endpoint, 'app/ada');
    const id = await peer.callTool('ask');
    await peer.next();
    const headers = { 'mcp-session-id': streams.sessionId ?? '', 'last-event-id': streams.post(id).lastEventId ?? '' };
    const response = await endpoint.send({ method: 'GET', headers, caller: 'app/eve' });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('elicitation');
  });
});

describe('a resumption of a stream that nobody knows', () => {
  it.each([['nobody'], ['event-999'], ['__proto__']])(
    'is refused, and the session goes on: %s',
    async (lastEventId) => {
      const endpoint = await openEndpoint({ sessions: { eventStore: memoryEventStore() } });
      const { peer, streams } = await open(endpoint);
      const refused = await streams.get(lastEventId);
      await refused.ended;
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.messages).toMatchObject([{ jsonrpc: '2.0', error: {} }]);
      await peer.next();
      await peer.callTool('echo', { text: 'still here' });
      expect(textOf(await peer.next())).toBe('still here');
    },
  );
});

describe('sessions.retryInterval', () => {
  it('is told to the client at the beginning of a stream', async () => {
    const sessions = { eventStore: memoryEventStore(), retryInterval: 1_234 };
    const endpoint = await openEndpoint({ sessions });
    const { streams } = await open(endpoint);
    const headers = { 'mcp-session-id': streams.sessionId ?? '', 'mcp-protocol-version': '2025-11-25' };
    const body = { jsonrpc: '2.0', id: 9, method: 'ping' };
    const text = await (await endpoint.send({ body, headers })).text();
    expect(text).toContain('retry: 1234\n');
  });
});

class TellingStore implements EventStore {
  readonly #inner = memoryEventStore();
  readonly #streams = new Map<string, string>();
  readonly asked: string[] = [];

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = await this.#inner.storeEvent(streamId, message);
    this.#streams.set(id, streamId);
    return id;
  }

  replayEventsAfter(lastEventId: string, options: Parameters<EventStore['replayEventsAfter']>[1]): Promise<string> {
    return this.#inner.replayEventsAfter(lastEventId, options);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    this.asked.push(eventId);
    return this.#streams.get(eventId);
  }
}

describe('an event store that tells the stream of an event', () => {
  it('is asked before anything is replayed, as its own `this`', async () => {
    const store = new TellingStore();
    const endpoint = await openEndpoint({ sessions: { eventStore: store } });
    const [ada, eve] = [await open(endpoint), await open(endpoint)];
    const id = await ada.peer.callTool('ask');
    const leg = await ada.peer.next();
    const stream = ada.streams.post(id);
    stream.drop();
    await stream.ended;
    const { lastEventId } = stream;
    const stolen = await eve.streams.get(lastEventId);
    await stolen.ended;
    expect(stolen.status).toBe(400);
    expect((await ada.streams.get(lastEventId)).status).toBe(200);
    expect(store.asked).toEqual([lastEventId, lastEventId]);
    await ada.peer.answer(leg, ADA);
    expect(textOf(await ada.peer.next())).toBe('accept Ada');
  });
});

describe('an event store that fails', () => {
  const failing = (): EventStore => ({ ...memoryEventStore(), storeEvent: () => Promise.reject(new Error('no disk')) });

  it('leaves no session behind of an initialize that it makes fail', async () => {
    const endpoint = await openEndpoint({ sessions: { eventStore: failing() } });
    const response = await endpoint.send({ body: initialize() });
    expect(response.status).toBeGreaterThanOrEqual(400);
    await response.text();
    expect(endpoint.handler.stats().sessions).toBe(0);
    expect(endpoint.closed).toBe(1);
  });

  it('is told to onerror when a change cannot be announced, and the sessions stay', async () => {
    let isDown = false;
    const store = memoryEventStore();
    const eventStore: EventStore = {
      ...store,
      storeEvent: (...event) => (isDown ? Promise.reject(new Error('no disk')) : store.storeEvent(...event)),
    };
    const endpoint = await openEndpoint({ sessions: { eventStore } });
    const { peer } = await open(endpoint);
    isDown = true;
    endpoint.handler.notify.toolsChanged();
    await vi.waitFor(() => expect(endpoint.errors.map(({ message }) => message)).toEqual(['no disk']));
    isDown = false;
    await peer.callTool('echo', { text: 'still here' });
    expect(textOf(await peer.next())).toBe('still here');
  });
});
