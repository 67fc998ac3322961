import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { modernMessage, VERSION } from './malformed-request.ts';

const SERVER = fileURLToPath(new URL('vector-serve-stdio.ts', import.meta.url));

/** The vectors' server in a process of its own; whoever starts it ends it. */
export const spawnVectorServer = (args: readonly string[] = []): SpawnedServer => spawnServer(SERVER, args);

/** A server that nothing has been sent to, and that is gone when the test is over. */
export function openServer(): SpawnedServer {
  const server = spawnVectorServer();
  onTestFinished(() => server.close());
  return server;
}

/** A server whose connection a first request has pinned to the modern era. */
export async function openModern(): Promise<SpawnedServer> {
  const server = openServer();
  await pinModern(server);
  return server;
}

export async function pinModern({ peer }: SpawnedServer): Promise<void> {
  await peer.send(AFTER);
  expect(await peer.next()).toMatchObject(ANSWERED);
}

export async function openHandshake(capabilities: object = {}): Promise<SpawnedServer> {
  const server = openServer();
  await server.peer.handshake({ capabilities });
  return server;
}

export const ECHO = { name: 'echo', arguments: { text: 'hi' } };
export const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

/** Answered next when nothing else was: an answer to what went before would come first. */
export const AFTER = modernMessage('tools/call', ECHO, { message: { id: 'after' } });
export const ANSWERED = { id: 'after', result: { resultType: 'complete' } };

export const claiming = (version: unknown, method = 'tools/list') =>
  modernMessage(method, {}, { meta: { [VERSION]: version } });

/** What a claim of `requested` is answered. */
export const refusalOf = (requested: string) => ({
  id: 1,
  error: { code: -32022, data: { supported: ['2026-07-28'], requested } },
});
