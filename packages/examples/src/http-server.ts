/**
 * The example server over Streamable HTTP on a free loopback port (or on PORT). Prints its URL on a line of its own, and
 * closes on SIGTERM.
 *
 * Sessions matter: a question travels to the client that made the call, and its answer comes back as another request.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createDeployServer } from './deploy-server.ts';

/** Open until their client ends them: a server for many clients would also end those that have gone quiet. */
const sessions = new Map<string, StreamableHTTPServerTransport>();

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      sessions.set(id, transport);
    },
  });
  transport.onclose = () => {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
  };
  await createDeployServer().connect(transport);
  return transport;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page in a browser can make its own name point to this machine; it cannot change the name it asks for.
  if (request.headers.host !== host) return refuse(response, 403, 'This server answers to its loopback name only');
  if (request.url !== '/mcp') return refuse(response, 404, 'Not found');

  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (id !== undefined && known === undefined) return refuse(response, 404, 'Session not found');
  const transport = known ?? (await openSession());
  await transport.handleRequest(request, response);
  // The transport has refused a first request that was no initialize: there is no session to keep.
  if (transport.sessionId === undefined) await transport.close();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}

const http = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await new Promise((resolve) => http.once('listening', resolve));
const address = http.address();
if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
const host = `127.0.0.1:${address.port}`;
console.log(`http://${host}/mcp`);

process.once('SIGTERM', () => {
  void Promise.all([...sessions.values()].map((transport) => transport.close())).then(() => {
    http.close();
    http.closeAllConnections();
  });
});
