/** Ends the connection of a server, which the author's own code may keep from ending. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { settleWithin, type WaitPorts } from './settle-within.ts';

/** How long a server may take to close, in milliseconds, before it is left to itself. */
const LONGEST_CLOSE = 5_000;

/** Closes `server`, then its transport. Never rejects, and does not wait for ever: `onError` hears of what fails. */
export async function endConnection(
  server: McpServer | Server,
  transport: { close(): Promise<void> },
  by: WaitPorts,
): Promise<void> {
  await endServer(server, by);
  await settleWithin(transport.close(), LONGEST_CLOSE, by);
}

/** The same for a transport that is closed at once: by the server, or by the caller. */
export function endServer(server: McpServer | Server, by: WaitPorts): Promise<void> {
  return settleWithin(closed(server), LONGEST_CLOSE, by);
}

// Its own close may throw instead of rejecting.
async function closed(server: McpServer | Server): Promise<void> {
  await server.close();
}
