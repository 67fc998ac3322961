/** The switch, and the options, as a server's main file would have them. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { DualEraError, withInputRequiredShim, withoutInputRequiredShim } from 'mcp-dual-era';

export function createSwitchedServer(isAskingAllowed: boolean): McpServer {
  const server = new McpServer({ name: 'switched', version: '1.0.0' });
  // #region switch
  withInputRequiredShim(server, { maxRounds: 4, roundTimeout: 5 * 60_000, legs: 'concurrent' });
  if (!isAskingAllowed) withoutInputRequiredShim(server);
  // #endregion switch
  return server;
}

export function watchedServer(count: (reason: string) => void): McpServer {
  const server = new McpServer({ name: 'watched', version: '1.0.0' });
  // #region events
  withInputRequiredShim(server, {
    onEvent: (event) => {
      if (event.type === 'hold-end') count(event.outcome);
      if (event.type === 'error') console.error(event.method, event.target, event.message);
    },
  });
  // #endregion events
  return server;
}

export function explainTwice(server: McpServer): string {
  // #region codes
  try {
    withInputRequiredShim(server);
  } catch (error) {
    if (DualEraError.isInstance(error) && error.code === 'ALREADY_WRAPPED') return 'wrapped before';
    throw error;
  }
  // #endregion codes
  return 'wrapped now';
}
