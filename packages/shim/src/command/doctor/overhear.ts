/** What came over a transport, before the client of SDK v1 left out what it does not know. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJsonObject, type JsonObject } from '../../core/json.ts';

export interface Overheard {
  /** The result of the request that was sent last; empty when there is none. */
  result(): JsonObject;
}

/** @param transport - one that is connected. */
export function overhear(transport: Transport): Overheard {
  const send = transport.send.bind(transport);
  const take = transport.onmessage;
  let asked: unknown;
  let result: JsonObject = {};
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message) {
      asked = message.id;
      result = {};
    }
    return send(message, options);
  };
  transport.onmessage = (message, extra) => {
    if ('result' in message && message.id === asked && isJsonObject(message.result)) result = message.result;
    take?.(message, extra);
  };
  return { result: () => result };
}
