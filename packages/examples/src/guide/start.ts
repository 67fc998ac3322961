/** The first example of the guide: a tool that asks before it deletes. */
// #region start
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';

const answer = z.object({ sure: z.boolean().meta({ title: 'Yes, delete it' }) });

function createBranchServer() {
  const server = new McpServer({ name: 'branches', version: '1.0.0' });
  server.registerTool('delete_branch', { inputSchema: { branch: z.string() } }, ({ branch }, extra) => {
    const ctx = inputContext(extra);
    if (ctx.accepted('sure', answer)?.sure === true) {
      return { content: [{ type: 'text', text: `Deleted ${branch}.` }] };
    }
    if (ctx.round > 0) return { content: [{ type: 'text', text: 'Nothing was deleted.' }] };
    return inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({ message: `Delete the branch ${branch}?`, requestedSchema: answer }),
      },
    });
  });
  return server;
}

await withInputRequiredShim(createBranchServer()).connect(new StdioServerTransport());
// #endregion start
