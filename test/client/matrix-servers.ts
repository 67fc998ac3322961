import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler as createOfficialHandler, McpServer as OfficialServer } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from 'zod';
import { listenNode } from '../serve/node-server.ts';
import { sdkNamed } from '../support/sdk.ts';
import { serveFactory } from '../support/serve-factory.ts';

/** `handshake`: SDK v1. `dual`, `modern`: ours. `official`: SDK v2, without the handshake era. */
const SERVERS = ['handshake', 'dual', 'modern', 'official'] as const;
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
  if (name === 'official') {
    const handle = toNodeHandler(createOfficialHandler(createOfficialMatrixServer, { legacy: 'reject' }));
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
