/** SDK v1 servers behind a real HTTP server on loopback, one session for each client. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient } from './in-memory.ts';

/** A client that is connected to a server of its own over HTTP. */
export async function overHttp(server: McpServer): Promise<{ client: Client; close(): Promise<void> }> {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
  await server.connect(transport as Transport);
  let hasGetStream = false;
  const http = createHttpServer((request: IncomingMessage, response: ServerResponse) => {
    void transport.handleRequest(request, response);
    hasGetStream ||= request.method === 'GET';
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const client = createClient();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  // A question that is not related to a call is lost until this stream is there.
  while (!hasGetStream) await setTimeout(1);
  return {
    client,
    async close() {
      await client.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
