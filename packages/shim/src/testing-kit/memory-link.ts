/** A connection in memory with a server of SDK v1 at one end, and the script at the other. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../core/json.ts';
import { giveHints } from '../handshake/hints.ts';

/** The server's end. What crosses it is JSON, so that nothing is shared. */
export class MemoryLink implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #unread: JsonObject[] = [];
  #waiting: ((message: JsonObject | undefined) => void) | undefined;
  #isClosed = false;

  constructor() {
    // It has an end of its own, so nobody need watch stdin for one.
    giveHints(this, { onInputEnd: () => () => undefined });
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('Not connected');
    const received = copy(message);
    if (this.#waiting === undefined) this.#unread.push(received);
    else this.#waiting(received);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting?.(undefined);
    this.onclose?.();
  }

  /** Sends as the client. */
  say(message: JsonObject): void {
    if (!this.#isClosed) this.onmessage?.(copy(message) as JSONRPCMessage);
  }

  /** The next message of the server's; undefined once the connection is closed. */
  next(): Promise<JsonObject | undefined> {
    const message = this.#unread.shift();
    if (message !== undefined || this.#isClosed) return Promise.resolve(message);
    return new Promise((resolve) => {
      this.#waiting = (received) => {
        this.#waiting = undefined;
        resolve(received);
      };
    });
  }

  /** Whether a message is there that answers `id`. */
  hasAnswer(id: unknown): boolean {
    return this.#unread.some((message) => !('method' in message) && message['id'] === id);
  }
}

function copy(message: unknown): JsonObject {
  return JSON.parse(JSON.stringify(message)) as JsonObject;
}
