/**
 * The conformance server on a free loopback port (or on PORT), for clients of both eras on one URL. Prints its URL on a
 * line of its own, and closes on SIGTERM.
 */
import { createServer } from 'node:http';
import { generateRequestStateKey } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { memoryEventStore } from './event-store.ts';
import { createConformanceServer } from './server.ts';

const handler = createMcpHandler(createConformanceServer, {
  // No other process, and no later one, has to read the states of this one.
  inputRequired: { requestState: { keys: [generateRequestStateKey()] } },
  sessions: { eventStore: memoryEventStore(), retryInterval: 500 },
});

const http = createServer((request, response) => {
  if (request.url !== '/mcp') return void response.writeHead(404).end();
  handler.node(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await new Promise((resolve) => http.once('listening', resolve));
const address = http.address();
if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
console.log(`http://127.0.0.1:${address.port}/mcp`);

process.once('SIGTERM', () => {
  void handler.close().then(() => {
    http.close();
    http.closeAllConnections();
  });
});
