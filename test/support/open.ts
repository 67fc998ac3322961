import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DualEraEvent } from 'mcp-dual-era';
import { spawnStdioPeer } from './child.ts';
import { HttpLink } from './http-link.ts';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { type HandshakeParams, Peer } from './peer.ts';
import { createScriptServer, type ScriptLog, type ScriptServerSettings } from './script-server.ts';
import { sdkNamed } from './sdk.ts';

export type TransportName = 'memory' | 'stdio' | 'http';

export interface Opened {
  readonly peer: Peer;
  readonly events: DualEraEvent[];
  /** The target of each run of a handler. */
  readonly runs: string[];
  close(): Promise<void>;
}

export interface OpenSettings extends ScriptServerSettings {
  /** Options for SDK v1's HTTP transport. */
  readonly http?: Json;
}

/** A script server at one end of a real transport, and a scripted peer at the other. Nothing is said yet. */
export async function open(transport: TransportName, settings: OpenSettings = {}): Promise<Opened> {
  if (transport === 'stdio') return spawnStdioPeer(settings);
  const events: DualEraEvent[] = [];
  const runs: string[] = [];
  const log: ScriptLog = { event: (event) => events.push(event), run: (target) => runs.push(target) };
  const inbox = new Inbox();
  return transport === 'memory'
    ? openMemory(settings, { events, runs, log, inbox })
    : openHttp(settings, { events, runs, log, inbox });
}

/** The same, with the handshake done. */
export async function openSession(
  transport: TransportName,
  handshake: HandshakeParams = {},
  settings: OpenSettings = {},
): Promise<Opened> {
  const opened = await open(transport, settings);
  await opened.peer.handshake(handshake);
  return opened;
}

interface Parts {
  readonly events: DualEraEvent[];
  readonly runs: string[];
  readonly log: ScriptLog;
  readonly inbox: Inbox;
}

async function openMemory(settings: OpenSettings, { events, runs, log, inbox }: Parts): Promise<Opened> {
  const [near, far] = sdkNamed(settings.sdk ?? 'newest').InMemoryTransport.createLinkedPair();
  const server = createScriptServer(settings, log);
  near.onmessage = inbox.push;
  await near.start();
  await server.connect(far);
  const send = async (message: unknown): Promise<number> => {
    await near.send(structuredClone(message) as never);
    return 0;
  };
  const peer = new Peer({ send, close: () => near.close() }, inbox);
  return { peer, events, runs, close: () => server.close() };
}

async function openHttp(settings: OpenSettings, { events, runs, log, inbox }: Parts): Promise<Opened> {
  const http = await serveHttp(settings, log);
  const link = new HttpLink(http.url, inbox);
  return {
    peer: new Peer(link, inbox),
    events,
    runs,
    close: async () => {
      await link.close();
      await http.close();
    },
  };
}

/** Serves script servers over Streamable HTTP with sessions, as the examples of SDK v1 do. */
export async function serveHttp(
  settings: OpenSettings,
  log: ScriptLog,
): Promise<{
  url: URL;
  http: HttpServer;
  sessions: Map<string, { handleRequest: (...args: never[]) => unknown }>;
  close(): Promise<void>;
}> {
  const { StreamableHTTPServerTransport, types } = sdkNamed(settings.sdk ?? 'newest');
  const sessions = new Map<string, InstanceType<typeof StreamableHTTPServerTransport>>();
  const http = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(Object.assign(request, authOf(request.headers)), response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      ...settings.http,
    });
    await createScriptServer(settings, log).connect(transport as never);
    return transport.handleRequest(Object.assign(request, authOf(request.headers)), response);
  });
  void types;
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const transport of sessions.values()) await transport.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), http, sessions: sessions as never, close };
}

/** The header `x-test-caller: client/subject` stands for what an authenticating middleware would have found out. */
export function authOf(headers: Record<string, unknown>): Json {
  const caller = headers['x-test-caller'];
  if (typeof caller !== 'string') return {};
  const [clientId, sub] = caller.split('/');
  return {
    auth: { token: 't', clientId, scopes: [], extra: sub === undefined ? {} : { sub, iss: 'https://issuer.test' } },
  };
}
