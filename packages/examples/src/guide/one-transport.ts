/** A host of plugins that connects their servers itself: the shim goes on the transport that it gives them. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { shimTransport } from 'mcp-dual-era';

// #region transport
interface Plugin {
  /** Makes its server, and connects it to `transport`. */
  start(transport: Transport): Promise<McpServer>;
}

export function startPlugin(plugin: Plugin, transport: Transport): Promise<McpServer> {
  return plugin.start(shimTransport(transport, { maxRounds: 4 }));
}
// #endregion transport
