/** Tells a client that what a person was sent to a page for is done there. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describeValue, isJsonObject } from '../core/json.ts';
import { hasElicitationIds } from '../core/revision.ts';
import { protocolOf } from './install.ts';
import { revisionOf } from './shim-transport.ts';

/**
 * Sends `notifications/elicitation/complete` for a URL that was asked on this connection. Only revision 2025-11-25 has
 * it (spec 2025-11-25: client/elicitation, completion notifications), and only clients that declared URL mode get it:
 * on every other connection nothing is sent. It belongs to no call, so over HTTP it goes out on the GET stream of the
 * session, and is lost where the client has none open.
 *
 * @param elicitationId - what `inputContext(extra).elicitationId(key)` gave; undefined where there is none to complete.
 * @returns whether it was sent.
 * @throws TypeError when `elicitationId` is neither a string nor undefined; DualEraError `NOT_A_SERVER`. What the
 * transport throws is passed on.
 */
export async function completeElicitation(
  server: McpServer | Server,
  elicitationId: string | undefined,
): Promise<boolean> {
  if (elicitationId !== undefined && typeof elicitationId !== 'string') {
    throw new TypeError(`elicitationId must be a string, got ${describeValue(elicitationId)}`);
  }
  const protocol = protocolOf(server, 'completeElicitation');
  const { transport } = protocol;
  const isUrlDeclared = isJsonObject(protocol.getClientCapabilities()?.elicitation?.url);
  if (elicitationId === undefined || transport === undefined || !isUrlDeclared) return false;
  if (!hasElicitationIds(revisionOf(transport))) return false;
  await protocol.notification({ method: 'notifications/elicitation/complete', params: { elicitationId } });
  return true;
}
