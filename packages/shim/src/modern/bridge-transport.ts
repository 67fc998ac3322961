/**
 * The private transport in front of a bridged SDK v1 instance. SDK v1's own in-memory transport drops what a message is
 * related to, and the HTTP request it came in.
 */
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { giveHints } from '../handshake/hints.ts';
import type { Message } from '../handshake/session.ts';

/** Takes what SDK v1 sends. */
export type TakeMessage = (message: Message, options: TransportSendOptions | undefined) => Promise<void>;

export class BridgeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #take: TakeMessage;
  #isClosed = false;

  constructor(take: TakeMessage) {
    this.#take = take;
    giveHints(this, MODERN);
  }

  async start(): Promise<void> {}

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#take(message as Message, options);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  /** Hands a message to SDK v1. */
  deliver(message: Message, extra?: MessageExtraInfo): void {
    if (!this.#isClosed) this.onmessage?.(message as JSONRPCMessage, extra);
  }
}

const MODERN = { isModern: true };
