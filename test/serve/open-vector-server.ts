import { fileURLToPath } from 'node:url';
import type { ServeOptions } from 'mcp-dual-era/serve';
import { expect, onTestFinished } from 'vitest';
import { spawnServer } from '../support/spawn-server.ts';
import type { PipedServer } from './in-process-server.ts';
import { modernMessage, VERSION } from './malformed-request.ts';
import { createVectorServer } from './vector-factory.ts';

const SERVER = fileURLToPath(new URL('vector-serve-stdio.ts', import.meta.url));

// The build in a process of its own, as its users have it; the source in this one, where it is measured.
const inProcess = process.env['TARGET'] === 'dist' ? undefined : await import('./in-process-server.ts');

/** The vectors' server on a pipe; whoever starts it ends it. */
export function startVectorServer(options: ServeOptions = {}): PipedServer {
  if (inProcess !== undefined) return inProcess.serveInProcess(() => createVectorServer(), options);
  const { child, ...server } = spawnServer(SERVER, [JSON.stringify(options)]);
  return { ...server, stdin: child.stdin as NodeJS.WritableStream };
}

/** A server that nothing has been sent to, and that is gone when the test is over. */
export function openServer(): PipedServer {
  const server = startVectorServer();
  onTestFinished(() => server.close());
  return server;
}

/** A server whose connection a first request has pinned to the modern era. */
export async function openModern(): Promise<PipedServer> {
  const server = openServer();
  await pinModern(server);
  return server;
}

export async function pinModern({ peer }: PipedServer): Promise<void> {
  await peer.send(AFTER);
  expect(await peer.next()).toMatchObject(ANSWERED);
}

export async function openHandshake(capabilities: object = {}): Promise<PipedServer> {
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
