import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** An event store in memory. */
export function memoryEventStore(): EventStore {
  const events: { id: string; streamId: string; message: unknown }[] = [];
  return {
    storeEvent: async (streamId, message) => {
      const id = `event-${events.length + 1}`;
      events.push({ id, streamId, message });
      return id;
    },
    replayEventsAfter: async (lastEventId, { send }) => {
      const last = events.findIndex(({ id }) => id === lastEventId);
      const streamId = events[last]?.streamId ?? '';
      for (const event of events.slice(last + 1)) {
        if (event.streamId === streamId && Object.keys(event.message as object).length > 0)
          await send(event.id, event.message as never);
      }
      return streamId;
    },
  };
}
