/** What the page on serving shows beside the servers of its folder. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, type McpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { addTicketTool } from './reading-answers.ts';

// #region caller
/** Callers without a token see the deployments only; those with one may also open tickets. */
export const createServerForCaller: ServerFactory = ({ authInfo }) => {
  const server = createDeployServer();
  if (authInfo !== undefined) addTicketTool(server);
  return server;
};
// #endregion caller

export function createHintedHandler(): McpHandler {
  // #region hints
  const handler = createMcpHandler(createDeployServer, {
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
  });
  // #endregion hints
  return handler;
}

export function announceChanges(handler: McpHandler): void {
  // #region changes
  handler.notify.toolsChanged();
  handler.notify.resourceUpdated('deploy://folders');
  // #endregion changes
}

export function announceFrom(server: McpServer): void {
  // #region instance
  server.sendToolListChanged();
  // #endregion instance
}
