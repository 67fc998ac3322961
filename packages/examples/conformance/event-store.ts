/** What was sent on a stream, kept so that a client can come back for what it missed. */
import { randomUUID } from 'node:crypto';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

type Send = Parameters<EventStore['replayEventsAfter']>[1]['send'];
type Message = Parameters<Send>[1];

interface StoredEvent {
  readonly streamId: string;
  readonly message: Message;
}

/**
 * @param limit - events kept, the oldest go first; an integer >= 1.
 */
export function memoryEventStore(limit = 1_000): EventStore {
  // In the order of their coming, which a map keeps.
  const events = new Map<string, StoredEvent>();
  return {
    async storeEvent(streamId, message) {
      const id = randomUUID();
      events.set(id, { streamId, message });
      for (const oldest of events.keys()) {
        if (events.size <= limit) break;
        events.delete(oldest);
      }
      return id;
    },

    async replayEventsAfter(lastEventId, { send }) {
      const last = events.get(lastEventId);
      if (last === undefined) throw new Error('This event is not known');
      const ids = [...events.keys()];
      for (const id of ids.slice(ids.indexOf(lastEventId) + 1)) {
        const event = events.get(id);
        if (event?.streamId === last.streamId && isMessage(event.message)) await send(id, event.message);
      }
      return last.streamId;
    },
  };
}

/** A stream begins with an event that carries an id and no message. */
function isMessage(message: Message): boolean {
  return Object.keys(message).length > 0;
}
