import type { DualEraEvent } from 'mcp-dual-era';
import { createMcpHandler, type HttpServeOptions, type McpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { expect, onTestFinished, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { authOf } from '../support/open.ts';
import { type HandshakeParams, Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { modernMessage } from './malformed-request.ts';
import { listenNode } from './node-server.ts';
import { createSessionServer, newLog, type ServerLog, type Waiting } from './session-server.ts';

/** How a request gets to a handler: as a web-standard one, or over a socket. */
export const FACES = ['fetch', 'node'] as const;
type Face = (typeof FACES)[number];

/** A client of the handshake era, and the streams that its messages come on. */
export interface Client {
  readonly peer: Peer;
  readonly streams: StreamClient;
}

export interface SentRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
  /** `client/subject`, as whoever authenticated the request says. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface Endpoint extends ServerLog {
  readonly handler: McpHandler;
  readonly url: URL;
  /** What the sessions and the shim tell the time by. */
  readonly clock: ManualClock;
  readonly events: DualEraEvent[];
  readonly errors: Error[];
  /** Sends one request: a POST of `body`, unless it says otherwise. */
  send(request: SentRequest): Promise<Response>;
  /** A client that has said nothing yet. */
  connect(caller?: string): Client;
  /** A client with a session of its own. */
  open(handshake?: HandshakeParams, caller?: string): Promise<Client>;
}

export interface EndpointSettings {
  readonly face?: Face;
  readonly factory?: ServerFactory;
}

export const ASKABLE: HandshakeParams = { capabilities: { elicitation: {} } };
export const ADA: Json = { action: 'accept', content: { name: 'Ada' } };
export const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** An endpoint on a clock that stands still; when the test is over it is closed, and nothing may be left of it. */
export async function openEndpoint(options: HttpServeOptions = {}, settings: EndpointSettings = {}): Promise<Endpoint> {
  const { face = 'fetch' } = settings;
  const clock = new ManualClock();
  const log = newLog();
  const events: DualEraEvent[] = [];
  const errors: Error[] = [];
  const { inputRequired } = options;
  const handler = createMcpHandler(settings.factory ?? ((context) => createSessionServer(log, context)), {
    onerror: (error) => errors.push(error),
    ...options,
    inputRequired:
      inputRequired === false
        ? false
        : {
            onEvent: (event) => void events.push(event),
            ...inputRequired,
            ports: { clock, warn: () => undefined, ...inputRequired?.ports },
          },
  });
  const { url, toHandler } = face === 'node' ? await overNode(handler) : overFetch(handler);
  const clients: StreamClient[] = [];
  const connect = (caller?: string): Client => {
    const streams = new StreamClient(url, (_url, init) => toHandler(init, caller));
    clients.push(streams);
    return { streams, peer: new Peer(streams, streams.inbox) };
  };
  onTestFinished(async () => {
    await handler.close();
    for (const client of clients) await client.close();
    await vi.waitFor(() => expect(handler.stats()).toMatchObject(NOTHING));
    await settle();
    expect(clock.pending, 'timers and immediates left').toBe(0);
    if (settings.factory === undefined) expect(log.closed, 'servers closed').toBe(log.servers.length);
  });
  return Object.assign(log, {
    handler,
    url,
    clock,
    events,
    errors,
    connect,
    send: (request: SentRequest) => toHandler(initOf(request), request.caller),
    async open(handshake: HandshakeParams = ASKABLE, caller?: string): Promise<Client> {
      const client = connect(caller);
      await client.peer.handshake(handshake);
      return client;
    },
  });
}

export const NOTHING = { sessions: 0, modern: { inFlight: 0 }, holds: { held: 0, queued: 0, openLegs: 0 } };

type ToHandler = (init: RequestInit, caller: string | undefined) => Promise<Response>;

function overFetch(handler: McpHandler): { url: URL; toHandler: ToHandler } {
  const url = new URL('http://127.0.0.1/mcp');
  const toHandler: ToHandler = (init, caller) => {
    const { auth } = authOf({ 'x-test-caller': caller });
    return handler.fetch(new Request(url, init), auth === undefined ? {} : { authInfo: auth });
  };
  return { url, toHandler };
}

async function overNode(handler: McpHandler): Promise<{ url: URL; toHandler: ToHandler }> {
  const server = await listenNode((request, response) =>
    handler.node(Object.assign(request, authOf(request.headers)), response),
  );
  onTestFinished(() => server.close());
  const toHandler: ToHandler = (init, caller) => {
    const headers = { ...(init.headers as Record<string, string>), ...(caller && { 'x-test-caller': caller }) };
    return fetch(server.url, { ...init, headers });
  };
  return { url: server.url, toHandler };
}

function initOf({ method = 'POST', headers = {}, body, signal }: SentRequest): RequestInit {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return {
    method,
    headers: { ...TYPES, ...headers },
    ...(text === undefined ? {} : { body: text }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** A request of the modern era. */
export function modern(method: string, params: Json = {}, { id = 1, capabilities = {} } = {}): SentRequest {
  const name = params['name'] ?? params['uri'];
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: modernMessage(method, params, {
      message: { id },
      meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
    }),
  };
}

export const modernEcho = (text = 'hi', id = 1): SentRequest =>
  modern('tools/call', { name: 'echo', arguments: { text } }, { id });

/** A request of the handshake era. */
export const request = (method: string, params: Json = {}, id: string | number = 1): Json => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const echo = (text = 'hi', id: string | number = 1): Json =>
  request('tools/call', { name: 'echo', arguments: { text } }, id);

export const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
export const initialize = (id: string | number = 0): Json => request('initialize', OPENING, id);

/** The text of a tool's result. */
export const textOf = (answer: Json): string => answer['result'].content[0].text;

/** Has `client` call the tool `wait`, which runs from now on. */
export async function startWaiting(endpoint: Endpoint, { peer, streams }: Client): Promise<RunningWait> {
  const before = endpoint.waiting.length;
  const headers = { 'mcp-session-id': streams.sessionId ?? '' };
  const abort = new AbortController();
  const id = `wait-${before}`;
  const body = request('tools/call', { name: 'wait', arguments: {} }, id);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const read = async (): Promise<string> => {
    const response = await endpoint.send({ body, headers, signal: abort.signal });
    reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
      text += decoder.decode(chunk.value, { stream: true });
    }
    return text;
  };
  const answered = read().catch((error: Error) => error.name);
  const drop = (): void => {
    abort.abort();
    reader?.cancel().catch(() => undefined);
  };
  await vi.waitFor(() => expect(endpoint.waiting).toHaveLength(before + 1));
  const { signal, finish } = endpoint.waiting[before] as Waiting;
  return { id, signal, finish, answered, drop, cancel: () => peer.cancel(id) };
}

export interface RunningWait extends Waiting {
  readonly id: string;
  /** What came on the stream of the call, once that has ended. */
  readonly answered: Promise<string>;
  /** Goes away from the stream of the call. */
  readonly drop: () => void;
  readonly cancel: () => Promise<number>;
}
