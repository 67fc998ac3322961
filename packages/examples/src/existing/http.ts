/** The same over HTTP, on a free loopback port (or on PORT). Prints its URL on a line of its own, and closes on SIGTERM. */
import { createServer } from 'node:http';
import { generateRequestStateKey } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { runUntilTerm } from '../serving/run-until-term.ts';
import { createIncidentServer } from './incident-server.ts';

const handler = createMcpHandler(createIncidentServer, {
  pushCalls: 'replay',
  inputRequired: { requestState: { keys: [generateRequestStateKey()] } },
});
const http = createServer((request, response) => void handler.node(request, response));
await runUntilTerm(http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1'), handler.close);
