/** The server of the first example, as a file that others import. */
// #region server
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext } from 'mcp-dual-era';
import { z } from 'zod';

export function createBranchServer() {
  const server = new McpServer({ name: 'branches', version: '1.0.0' });
  server.registerTool('delete_branch', { inputSchema: { branch: z.string() } }, ({ branch }, extra) => {
    const { ask, decision } = inputContext(extra).confirm('delete', {
      message: `Delete the branch ${branch}?`,
      title: 'Yes, delete it',
    });
    if (ask !== undefined) return ask;
    const text = decision === 'yes' ? `Deleted ${branch}.` : 'Nothing was deleted.';
    return { content: [{ type: 'text', text }] };
  });
  return server;
}
// #endregion server
