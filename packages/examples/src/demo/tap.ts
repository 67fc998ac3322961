/** Listens to a connection at the client's end. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export type Direction = 'to-server' | 'to-client';

export type MessageListener = (direction: Direction, message: JSONRPCMessage) => void;

/** Calls `listen` with every message that `transport` carries, in order. Call it before the client connects. */
export function tapTransport<T extends Transport>(transport: T, listen: MessageListener): T {
  const send = transport.send;
  transport.send = (message, options) => {
    listen('to-server', message);
    return send.call(transport, message, options);
  };
  // A client that connects keeps the listener which is there already, and calls it first.
  transport.onmessage = (message) => listen('to-client', message);
  return transport;
}
