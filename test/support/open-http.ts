import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { DualEraEvent } from 'mcp-dual-era';
import { onTestFinished } from 'vitest';
import { authOf, type Opened, type OpenSettings, serveHttp } from './open.ts';
import { type HandshakeParams, Peer } from './peer.ts';
import { createScriptServer, type ScriptLog } from './script-server.ts';
import { StreamClient } from './stream-client.ts';

/** SDK v1's two Streamable HTTP transports: over a socket, and driven by `handleRequest(Request)`. */
export const HTTP_TRANSPORTS = ['node', 'web'] as const;

export interface OpenedHttp extends Opened {
  readonly client: StreamClient;
  /** Closes the transport of the one session, at the server. */
  closeTransport(): Promise<void>;
  /** Ends the stream of a call at the server. */
  closeStream(id: string | number): void;
}

/**
 * A script server behind one of the HTTP transports, and a peer that knows its streams, with the handshake done.
 * Closed when the test is over.
 */
export async function openHttpSession(
  transport: (typeof HTTP_TRANSPORTS)[number],
  handshake: HandshakeParams,
  settings: OpenSettings = {},
): Promise<OpenedHttp> {
  const events: DualEraEvent[] = [];
  const runs: string[] = [];
  const log: ScriptLog = { event: (event) => events.push(event), run: (target) => runs.push(target) };
  const { client, closeTransport, closeStream, close } = await (transport === 'node' ? overNode : overWeb)(
    settings,
    log,
  );
  const peer = new Peer(client, client.inbox);
  onTestFinished(close);
  await peer.handshake(handshake);
  client.revision = handshake.revision ?? '2025-11-25';
  return { peer, client, events, runs, close, closeTransport, closeStream };
}

interface ClosesStreams {
  closeSSEStream(id: string | number): void;
}

async function overNode(settings: OpenSettings, log: ScriptLog) {
  const served = await serveHttp(settings, log);
  const client = new StreamClient(served.url);
  const closeTransport = async (): Promise<void> => {
    for (const transport of served.sessions.values()) await (transport as unknown as { close(): unknown }).close();
  };
  const closeStream = (id: string | number): void => {
    for (const transport of served.sessions.values()) (transport as unknown as ClosesStreams).closeSSEStream(id);
  };
  const close = async (): Promise<void> => {
    await client.close();
    await served.close();
  };
  return { client, closeTransport, closeStream, close };
}

async function overWeb(settings: OpenSettings, log: ScriptLog) {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    ...settings.http,
  });
  await createScriptServer(settings, log).connect(transport);
  const client = new StreamClient(new URL('http://127.0.0.1/mcp'), (url, init) => {
    const request = new Request(url, init);
    const { auth } = authOf(Object.fromEntries(request.headers));
    return transport.handleRequest(request, auth === undefined ? {} : { authInfo: auth });
  });
  const close = async (): Promise<void> => {
    await client.close();
    await transport.close();
  };
  const closeStream = (id: string | number): void => transport.closeSSEStream(id);
  return { client, closeTransport: () => transport.close(), closeStream, close };
}
