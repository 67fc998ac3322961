/** Many sessions with many calls each, over raw Streamable HTTP: one connection for every stream that is open. */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Json } from '../support/json.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export interface HeldCall {
  readonly call: number;
  readonly leg: Json;
  /** The answer to the call. */
  readonly answered: Promise<Json>;
}

export class LoadSession {
  readonly #agent: Agent;
  readonly #port: number;
  #id = '';

  constructor(port: number, agent: Agent) {
    this.#port = port;
    this.#agent = agent;
  }

  async open(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'load', version: '1' },
    };
    const opened = await this.#post({ jsonrpc: '2.0', id: 'open', method: 'initialize', params });
    this.#id = String(opened.headers['mcp-session-id']);
    for await (const _message of messagesOf(opened));
    await this.#say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Makes a call, and waits for its question. */
  async hold(call: number): Promise<HeldCall> {
    const params = { name: 'ask', arguments: { call } };
    const stream = messagesOf(await this.#post({ jsonrpc: '2.0', id: call, method: 'tools/call', params }));
    const leg = await stream.next();
    if (leg.done) throw new Error(`The stream of call ${call} ended`);
    const answered = stream.next().then(async ({ value }) => {
      await stream.return(undefined);
      return value as Json;
    });
    return { call, leg: leg.value, answered };
  }

  answer({ leg }: HeldCall, content: Json): Promise<void> {
    return this.#say({ jsonrpc: '2.0', id: leg['id'], result: { action: 'accept', content } });
  }

  close(): Promise<void> {
    return this.#send('DELETE').then(drain);
  }

  async #say(message: Json): Promise<void> {
    const response = await this.#post(message);
    await drain(response);
    if (response.statusCode !== 202) throw new Error(`HTTP ${response.statusCode}`);
  }

  #post(message: Json): Promise<IncomingMessage> {
    return this.#send('POST', JSON.stringify(message));
  }

  #send(method: string, body = ''): Promise<IncomingMessage> {
    const session = this.#id === '' ? {} : { 'mcp-session-id': this.#id };
    const headers = { ...HEADERS, ...session };
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, path: '/mcp', method, headers, agent: this.#agent };
      request(options, resolve).on('error', reject).end(body);
    });
  }
}

export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
}

async function drain(response: IncomingMessage): Promise<void> {
  for await (const _chunk of response);
}

/** The messages of a stream of server-sent events. */
async function* messagesOf(response: IncomingMessage): AsyncGenerator<Json, undefined> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Json;
    }
  }
  return undefined;
}
