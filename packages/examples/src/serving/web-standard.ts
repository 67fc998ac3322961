/** The example server for runtimes that serve what a module exports, such as Bun and Cloudflare Workers. */
// #region web
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { keysFromEnvironment } from './keys.ts';

const handler = createMcpHandler(createDeployServer, {
  allowedHosts: ['mcp.example.com', 'localhost'],
  inputRequired: { requestState: { keys: keysFromEnvironment() } },
});

// The runtime's second argument is something else than the handler's: only the request is handed on.
// biome-ignore lint/style/noDefaultExport: what these runtimes look for
export default { fetch: (request: Request): Promise<Response> => handler.fetch(request) };
// #endregion web
