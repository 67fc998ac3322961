import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connectable } from './connect-memory.ts';
import { HttpLink } from './http-link.ts';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { authOf } from './open.ts';
import { Peer } from './peer.ts';
import { type SdkName, sdkNamed } from './sdk.ts';

export interface FactorySettings {
  readonly sdk?: SdkName;
  /** Options for SDK v1's HTTP transport; `sessionIdGenerator: undefined` makes it stateless. */
  readonly http?: Json;
  /** Reads and parses each body before the transport sees it, as express.json() does. */
  readonly isBodyParsed?: boolean;
  /** Sees each exchange before the transport does. */
  readonly onExchange?: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface ServedFactory {
  readonly url: URL;
  /** A new client of it, with an inbox of its own. */
  connect(): { peer: Peer; link: HttpLink };
  close(): Promise<void>;
}

/** Serves servers of the test's own over Streamable HTTP: one a session, or one a request where it is stateless. */
export async function serveFactory(factory: () => Connectable, settings: FactorySettings = {}): Promise<ServedFactory> {
  const { StreamableHTTPServerTransport } = sdkNamed(settings.sdk ?? 'newest');
  const sessions = new Map<string, InstanceType<typeof StreamableHTTPServerTransport>>();
  const links: HttpLink[] = [];
  const http = createServer(async (request, response) => {
    settings.onExchange?.(request, response);
    const body = settings.isBodyParsed ? await readJson(request) : undefined;
    let transport = sessions.get(String(request.headers['mcp-session-id']));
    if (transport === undefined) {
      const opened = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, opened),
        ...settings.http,
      });
      await factory().connect(opened as never);
      transport = opened;
    }
    await transport.handleRequest(Object.assign(request, authOf(request.headers)), response, body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const connect = () => {
    const inbox = new Inbox();
    const link = new HttpLink(url, inbox);
    links.push(link);
    return { peer: new Peer(link, inbox), link };
  };
  const close = async (): Promise<void> => {
    for (const link of links) await link.close();
    for (const transport of sessions.values()) await transport.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url, connect, close };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}
