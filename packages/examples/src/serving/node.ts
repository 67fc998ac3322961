/** The example server with node:http, as one that other machines reach would have it. */
// #region node
import { createServer } from 'node:http';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { keysFromEnvironment } from './keys.ts';
import { runUntilTerm } from './run-until-term.ts';

const handler = createMcpHandler(createDeployServer, {
  allowedHosts: ['mcp.example.com', '127.0.0.1'],
  inputRequired: { requestState: { keys: keysFromEnvironment() } },
  sessions: { idleTimeout: 10 * 60_000, max: 200 },
  onerror: (error) => console.error(error),
});
// How much is open, once a minute.
setInterval(() => console.error(handler.stats()), 60_000).unref();

const http = createServer((request, response) => {
  if (request.url === '/mcp') void handler.node(request, response);
  else response.writeHead(404).end();
});
// #endregion node
await runUntilTerm(http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1'), handler.close);
