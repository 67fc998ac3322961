/** One process of the pool. It tells the primary its port, and what it has measured when asked. */
// #region worker
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHolds } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { keysFromEnvironment } from '../serving/keys.ts';
import { createCaptionServer } from './server.ts';

// One slot for each process: while a call is held here, the next one that asks ends as `busy`.
const holds = createHolds({ max: 1 });
const handler = createMcpHandler(createCaptionServer, {
  // One key for all processes: what one of them has sealed, another can open.
  inputRequired: { holds, requestState: { keys: keysFromEnvironment() } },
});
const http = createServer((request, response) => void handler.node(request, response));
// Exclusive: else node:cluster has all processes listen on one port, and gives each connection to any of them.
http.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
  process.send?.((http.address() as AddressInfo).port);
});
// #endregion worker

// Ctrl-C reaches every process of the terminal; the primary then ends the pool.
process.on('SIGINT', () => undefined);
process.on('message', async (message: 'stats' | 'stop') => {
  if (message === 'stats') return void process.send?.(holds.stats());
  await handler.close();
  http.close();
  http.closeAllConnections();
  // Without the primary, a worker of node:cluster ends.
  process.disconnect();
});
