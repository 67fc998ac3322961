import type { Inbox } from './inbox.ts';
import type { Json } from './json.ts';

/** One end of a connection, driven message by message: what a client sends is exactly what the test says. */
export interface Link {
  /** Sends one message. On HTTP the options are headers of the POST, and the result is its status. */
  send(message: unknown, headers?: Record<string, string>): Promise<number>;
  close(): Promise<void>;
}

export interface HandshakeParams {
  readonly revision?: string;
  readonly capabilities?: unknown;
}

/** A scripted client. */
export class Peer {
  readonly inbox: Inbox;
  readonly #link: Link;
  #lastId = 100;

  constructor(link: Link, inbox: Inbox) {
    this.#link = link;
    this.inbox = inbox;
  }

  send(message: unknown, headers?: Record<string, string>): Promise<number> {
    return this.#link.send(message, headers);
  }

  next(ms?: number): Promise<Json> {
    return this.inbox.next(ms);
  }

  rest(ms?: number): Promise<Json[]> {
    return this.inbox.rest(ms);
  }

  async handshake({ revision = '2025-11-25', capabilities = {} }: HandshakeParams = {}): Promise<Json> {
    const params = { protocolVersion: revision, capabilities, clientInfo: { name: 'scripted', version: '1' } };
    await this.request('initialize', params, 0);
    const answer = await this.next();
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Sends a request and returns its id. */
  async request(method: string, params: Json, id: string | number = ++this.#lastId): Promise<string | number> {
    await this.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  callTool(name: string, args: Json = {}, more: Json = {}): Promise<string | number> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  /** Answers the leg `leg` with a result. */
  answer(leg: Json, result: unknown, headers?: Record<string, string>): Promise<number> {
    return this.send({ jsonrpc: '2.0', id: leg['id'], result }, headers);
  }

  answerError(leg: Json, code: number, message = 'no'): Promise<number> {
    return this.send({ jsonrpc: '2.0', id: leg['id'], error: { code, message } });
  }

  cancel(requestId: string | number): Promise<number> {
    return this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
