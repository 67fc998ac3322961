/** One server for both eras at one URL, and a client on 2026-07-28 that asks it. */
import { createServer, type Server } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerFactory } from 'mcp-dual-era/serve';
import { createMcpHandler } from 'mcp-dual-era/serve';

export function serveBranches(createBranchServer: ServerFactory): Server {
  // #region serve
  // A function that makes the server: no connect, no shim.
  const handler = createMcpHandler(createBranchServer, { onerror: (error) => console.error(error) });
  const http = createServer((request, response) => void handler.node(request, response));
  http.listen(3000, '127.0.0.1');
  // #endregion serve
  http.once('close', () => void handler.close());
  return http;
}

export async function deleteBranch(url: string): Promise<unknown> {
  // #region modern
  // Unless it is told to look for the modern era, a client on SDK v2 opens with a handshake.
  const versionNegotiation = { mode: 'auto' } as const;
  const client = new Client({ name: 'me', version: '1' }, { capabilities: { elicitation: {} }, versionNegotiation });
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { sure: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  console.error(client.getNegotiatedProtocolVersion());
  const result = await client.callTool({ name: 'delete_branch', arguments: { branch: 'old' } });
  // #endregion modern
  await client.close();
  return result.content;
}
