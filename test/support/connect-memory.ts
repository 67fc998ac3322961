import type { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { Peer } from './peer.ts';
import { type SdkName, sdkNamed } from './sdk.ts';

/** What a server, a `Server` or a `McpServer`, is here. */
export interface Connectable {
  /** The `Server` that a `McpServer` holds. */
  readonly server?: unknown;
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

export interface MemorySession {
  readonly peer: Peer;
  /** The client's end of the pair, for what a peer cannot say. */
  readonly near: InMemoryTransport;
  /** The server's end of the pair: what the shim wraps. */
  readonly far: InMemoryTransport;
  /** What the server reported to its `onerror`. */
  readonly errors: Error[];
  close(): Promise<void>;
}

/** A server of the test's own at one end of an in-memory pair, and a scripted peer at the other. */
export async function connectMemory(server: Connectable, sdk: SdkName = 'newest'): Promise<MemorySession> {
  const [near, far] = sdkNamed(sdk).InMemoryTransport.createLinkedPair();
  const inbox = new Inbox();
  const errors: Error[] = [];
  near.onmessage = (message) => inbox.push(message as Json);
  await near.start();
  const protocol = (server.server ?? server) as { onerror?: (error: Error) => void };
  protocol.onerror = (error) => errors.push(error);
  await server.connect(far);
  const send = async (message: unknown): Promise<number> => {
    await near.send(structuredClone(message) as never);
    return 0;
  };
  return { peer: new Peer({ send, close: () => near.close() }, inbox), near, far, errors, close: () => server.close() };
}
