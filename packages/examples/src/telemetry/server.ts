/** The example server, which shows Prometheus what becomes of its calls. */
// #region server
import { createServer } from 'node:http';
import { createHolds, generateRequestStateKey } from 'mcp-dual-era';
import { openTelemetry } from 'mcp-dual-era/otel';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { prometheus } from './sdk.ts';

const holds = createHolds({ max: 200, queue: 50 });
export const handler = createMcpHandler(createDeployServer, {
  inputRequired: {
    holds,
    telemetry: openTelemetry({ holds }),
    // So that this example need not wait long. Give people minutes.
    roundTimeout: 1_000,
    requestState: { keys: [generateRequestStateKey()] },
  },
});

export const http = createServer((request, response) => {
  if (request.url === '/mcp') void handler.node(request, response);
  else if (request.url === '/metrics') prometheus.getMetricsRequestHandler(request, response);
  else response.writeHead(404).end();
});
// #endregion server
