/** Reads an exchange as it happens: a line per message, each answer as deep as its request. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { describeAsk, describeRequest, describeResult } from './describe-message.ts';
import type { Direction } from './tap.ts';

export interface Line {
  readonly direction: Direction;
  /** How many requests it is within. */
  readonly depth: number;
  readonly what: string;
  readonly content: string;
}

export function createMessageReader(): (direction: Direction, message: JSONRPCMessage) => Line {
  /** The method of every request that is not answered, by who answers it and its id. */
  const open = new Map<string, string>();

  function read(direction: Direction, message: JSONRPCMessage): [what: string, content: string] {
    if (isJSONRPCRequest(message)) return [message.method, describeRequest(message)];
    if (isJSONRPCNotification(message)) return [message.method, ''];
    const key = `${direction === 'to-server' ? 'to-client' : 'to-server'} ${message.id}`;
    const method = open.get(key) ?? '';
    open.delete(key);
    if (isJSONRPCErrorResponse(message)) return ['└ error', message.error.message];
    const ask = describeAsk(message.result);
    return ask === undefined ? ['└ answer', describeResult(method, message.result)] : ['└ asks', ask];
  }

  return (direction, message) => {
    const [what, content] = read(direction, message);
    const line = { direction, depth: open.size, what, content: content.replaceAll(/\s+/g, ' ').trim() };
    if (isJSONRPCRequest(message)) open.set(`${direction} ${message.id}`, message.method);
    return line;
  };
}

/** `text`, cut where it is longer than `room`. */
export function cut(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}
