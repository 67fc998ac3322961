/**
 * The example server over Streamable HTTP, for clients of both eras, on a free loopback port (or on PORT). Prints its URL
 * on a line of its own, and closes on SIGTERM.
 */
// #region http
import { createServer } from 'node:http';
import { generateRequestStateKey } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from './deploy-server.ts';
import { runUntilTerm } from './serving/run-until-term.ts';

const handler = createMcpHandler(createDeployServer, {
  // Good until the process ends. One that is started again, or more than once, needs a key that lasts: serving/node.ts.
  inputRequired: { requestState: { keys: [generateRequestStateKey()] } },
});
const http = createServer((request, response) => void handler.node(request, response));
await runUntilTerm(http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1'), handler.close);
// #endregion http
