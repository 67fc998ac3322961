import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, type HttpServeOptions, type McpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { describe } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { Inbox } from '../support/inbox.ts';
import type { Json } from '../support/json.ts';
import { authOf } from '../support/open.ts';
import { Peer } from '../support/peer.ts';
import type { SdkName } from '../support/sdk.ts';
import { type StdioPeer, stdioPeer } from '../support/stdio-peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { serveInProcess } from './in-process-server.ts';
import { factoryOf, type ModernSettings, optionsOf } from './modern-factories.ts';
import { expectValid } from './modern-schema.ts';
import { listenNode } from './node-server.ts';
import { mirrorHeaders } from './play-vector.ts';

/** `stdio` is a pipe within this process, whose code is measured for coverage. */
export type ModernTransport = 'http' | 'stdio';

/** What came until the answer to a request, answers to others included, and its answer. */
interface Exchange {
  /** Of HTTP; 0 over stdio. */
  readonly status: number;
  readonly notifications: Json[];
  readonly answer: Json;
}

/** A raw client of a served factory. */
export interface ModernClient {
  readonly peer: Peer;
  /** Over HTTP, each request has the headers that mirror it, unless others are given. */
  tell(message: Json, headers?: Record<string, string>): Promise<Exchange>;
  /** Gives a request up: over HTTP by going away, over stdio by saying so. */
  giveUp(id: string | number): Promise<unknown>;
}

export interface ModernSession extends ModernClient {
  /** What the server's side reported, in order: its events, and what its handlers do. */
  readonly reports: Inbox;
  close(): Promise<void>;
}

export interface ServedOverHttp extends ModernSession {
  readonly url: URL;
  readonly handler: McpHandler;
  /** The servers that the factory has made and that are still connected. */
  readonly open: Set<McpServer | Server>;
  /** One more client. */
  connect(): ModernClient & { readonly client: StreamClient };
}

export function openModernSession(transport: ModernTransport, settings: ModernSettings): Promise<ModernSession> {
  return transport === 'http' ? serveModern(settings) : Promise.resolve(pipeModern(settings));
}

/** Serves over HTTP. The header `x-test-caller` is who authenticates. */
export async function serveModern(settings: ModernSettings, more: HttpServeOptions = {}): Promise<ServedOverHttp> {
  const reports = new Inbox();
  const open = new Set<McpServer | Server>();
  const factory = factoryOf(settings, reports.push);
  const watched: ServerFactory = async (context) => {
    const made = await factory(context);
    const protocol = 'server' in made ? made.server : made;
    protocol.onclose = () => void open.delete(made);
    open.add(made);
    return made;
  };
  const handler = createMcpHandler(watched, { ...optionsOf(settings, reports.push), ...more });
  const server = await listenNode((request, response) =>
    handler.node(Object.assign(request, authOf(request.headers)), response),
  );
  const clients: StreamClient[] = [];
  const connect = () => {
    const client = new StreamClient(server.url);
    clients.push(client);
    const send = (message: unknown, headers?: Record<string, string>): Promise<number> =>
      client.send(message, headers ?? mirrorHeaders(message as Json));
    const peer = new Peer({ send, close: () => client.close() }, client.inbox);
    const giveUp = async (id: string | number): Promise<void> => client.post(id).drop();
    return { client, peer, tell: teller(peer), giveUp };
  };
  const close = async (): Promise<void> => {
    for (const client of clients) await client.close();
    await handler.close();
    await server.close();
  };
  return { ...connect(), url: server.url, handler, open, reports, connect, close };
}

const SERVER = fileURLToPath(new URL('modern-serve-stdio.ts', import.meta.url));

/** The command line that serves over stdio. */
export const modernProcess = (settings: ModernSettings) => ({
  command: process.execPath,
  args: [...nodeArgs(SERVER), JSON.stringify(settings)],
});

/** Serves over stdio in a process of its own. */
export function spawnModern(settings: ModernSettings): ModernSession {
  const { command, args } = modernProcess(settings);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const reports = new Inbox();
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) reports.push(JSON.parse(line) as Json);
    else process.stderr.write(`${line}\n`);
  });
  return sessionOn(stdioPeer(child), reports);
}

function pipeModern(settings: ModernSettings): ModernSession {
  const reports = new Inbox();
  return sessionOn(serveInProcess(factoryOf(settings, reports.push), optionsOf(settings, reports.push)), reports);
}

function sessionOn({ peer, close }: StdioPeer, reports: Inbox): ModernSession {
  const giveUp = (requestId: string | number) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    return peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, _meta } });
  };
  return { peer, reports, close, giveUp, tell: teller(peer) };
}

/** A strict client: whatever it gets has to be valid. */
function teller(peer: Peer): ModernClient['tell'] {
  return async (message, headers) => {
    const status = await peer.send(message, headers);
    const notifications: Json[] = [];
    for (;;) {
      const received = await peer.next();
      const { id = message['id'], method } = received;
      expectValid(received, id === message['id'] ? message['method'] : '');
      if (method === undefined && id === message['id']) return { status, notifications, answer: received };
      notifications.push(received);
    }
  };
}

/** Runs one test body over both transports of the modern leg, on the newest and on the oldest supported SDK v1. */
export function describeModern(name: string, body: (transport: ModernTransport, sdk: SdkName) => void): void {
  for (const [transport, sdk] of CELLS) describe(`${name} (${transport}, ${sdk} SDK v1)`, () => body(transport, sdk));
}

// The two differ in the engine's half, and the versions of SDK v1 in theirs: three cells cover both.
const CELLS = [
  ['http', 'newest'],
  ['stdio', 'newest'],
  ['http', 'oldest'],
] as const;
