import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler as createOfficialHandler,
  legacyStatelessFallback,
  McpServer as OfficialServer,
} from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from 'zod';
import { listenNode } from '../serve/node-server.ts';
import { sdkNamed } from '../support/sdk.ts';
import { serveFactory } from '../support/serve-factory.ts';

/** `handshake`: SDK v1. `dual`, `modern`: ours. The others: SDK v2, with the eras of their name. */
export const SERVERS = [
  'handshake',
  'dual',
  'modern',
  'official handshake',
  'official dual',
  'official modern',
] as const;
export type ServerName = (typeof SERVERS)[number];

const INFO = { name: 'matrix', version: '1', title: 'The matrix' };
const OPTIONS = { capabilities: { logging: {} }, instructions: 'Be brief.' };
const echo = async ({ text }: { text: string }) => ({ content: [{ type: 'text' as const, text }] });

export function createMatrixServer() {
  const server = new (sdkNamed('newest').McpServer)(INFO, OPTIONS);
  server.registerTool('echo', { inputSchema: { text: z.string() } }, echo);
  return server;
}

export function createOfficialMatrixServer(): OfficialServer {
  const server = new OfficialServer(INFO, OPTIONS);
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, echo);
  return server;
}

export async function serveMatrix(name: ServerName): Promise<{ url: URL; close(): Promise<void> }> {
  if (name === 'handshake') return serveFactory(createMatrixServer);
  if (name.startsWith('official')) {
    const handle = toNodeHandler(officialHandler(name));
    return listenNode((request, response) => handle(request as never, response));
  }
  const handler = createMcpHandler(createMatrixServer, { eras: name === 'dual' ? 'both' : 'modern' });
  const server = await listenNode((request, response) => handler.node(request, response));
  const close = async (): Promise<void> => {
    await handler.close();
    await server.close();
  };
  return { url: server.url, close };
}

function officialHandler(name: ServerName) {
  if (name === 'official handshake') return { fetch: legacyStatelessFallback(createOfficialMatrixServer) };
  const legacy = name === 'official dual' ? 'stateless' : 'reject';
  return createOfficialHandler(createOfficialMatrixServer, { legacy });
}
