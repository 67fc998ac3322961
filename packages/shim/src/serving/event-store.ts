/** One event store for all sessions, without one session finding the events of another. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/**
 * The part of `store` that belongs to the session `id`. SDK v1 names the GET stream of every session alike, and replays
 * whatever stream an event id belongs to: so streams are kept under the session's id, and an event of another session's
 * is not there.
 */
export function eventsOfSession(store: EventStore, id: string): EventStore {
  const prefix = `${id}/`;
  const own: EventStore = {
    storeEvent: (streamId, message) => store.storeEvent(`${prefix}${streamId}`, message),
    replayEventsAfter: async (lastEventId, { send }) => {
      // Held back until the stream is known to be the session's own.
      const events: Parameters<typeof send>[] = [];
      const streamId = await store.replayEventsAfter(lastEventId, {
        send: async (...event) => {
          events.push(event);
        },
      });
      const found = withoutPrefix(streamId, prefix);
      if (found === undefined) throw new Error('No such event in this session');
      for (const event of events) await send(...event);
      return found;
    },
  };
  const { getStreamIdForEventId } = store;
  if (getStreamIdForEventId === undefined) return own;
  return {
    ...own,
    getStreamIdForEventId: async (eventId) => withoutPrefix(await getStreamIdForEventId.call(store, eventId), prefix),
  };
}

function withoutPrefix(streamId: string | undefined, prefix: string): string | undefined {
  return streamId?.startsWith(prefix) ? streamId.slice(prefix.length) : undefined;
}
