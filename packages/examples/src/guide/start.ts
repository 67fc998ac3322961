/** The first example of the guide: a tool that asks before it deletes. */
// #region start
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';

function createBranchServer() {
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

await withInputRequiredShim(createBranchServer()).connect(new StdioServerTransport());
// #endregion start
