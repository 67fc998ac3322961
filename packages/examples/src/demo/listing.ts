/** Prints an exchange as it happens, a line per message, each answer as deep as its request. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { describeRequest, describeResult } from './describe-message.ts';
import { paint } from './paint.ts';
import type { Direction } from './tap.ts';

const WIDTH = 100;
const WHO = { 'to-server': paint('cyan', 'client → server'), 'to-client': paint('yellow', 'client ← server') };
const METHOD_WIDTH = 26;

export interface Listing {
  title(title: string, story: string): void;
  message(direction: Direction, message: JSONRPCMessage): void;
}

export function createListing(): Listing {
  /** The method of every request that is not answered, by who answers it and its id. */
  const open = new Map<string, string>();

  function print(direction: Direction, depth: number, [what, content]: [string, string]): void {
    const text = content.replaceAll(/\s+/g, ' ').trim();
    const room = WIDTH - '  client → server  '.length - METHOD_WIDTH;
    const cut = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    const method = `${'  '.repeat(depth)}${what} `.padEnd(METHOD_WIDTH);
    console.log(`  ${WHO[direction]}  ${paint('bold', method)}${cut}`.trimEnd());
  }

  return {
    title(title, story) {
      console.log(`\n${paint('bold', title)}`);
      if (story !== '') console.log(paint('dim', story));
    },
    message(direction, message) {
      if (isJSONRPCRequest(message)) {
        print(direction, open.size, [message.method, describeRequest(message)]);
        open.set(`${direction} ${message.id}`, message.method);
      } else if (isJSONRPCNotification(message)) {
        print(direction, open.size, [message.method, '']);
      } else {
        const key = `${direction === 'to-server' ? 'to-client' : 'to-server'} ${message.id}`;
        const method = open.get(key) ?? '';
        open.delete(key);
        if (isJSONRPCErrorResponse(message)) print(direction, open.size, ['└ error', message.error.message]);
        else print(direction, open.size, ['└ answer', describeResult(method, message.result)]);
      }
    },
  };
}
