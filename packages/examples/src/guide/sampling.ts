/** Questions that no person answers: the client's model writes, the client lists its folders. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';

export function addHeadlineTool(server: McpServer): void {
  // #region sampling
  server.registerTool('headline', { inputSchema: { text: z.string() } }, ({ text }, extra) => {
    const ctx = inputContext(extra);
    const written = ctx.samplingResult('headline');
    if (written !== undefined) {
      // One block or a list of them, and not all are text.
      const words = [written.content].flat().map((block) => (block.type === 'text' ? block.text : ''));
      return { content: [{ type: 'text', text: words.join('') }] };
    }
    // False for a client without a model, and where the server is not wrapped: then there is another way.
    if (!ctx.canAsk('sampling') || ctx.round > 0) return { content: [{ type: 'text', text: text.slice(0, 40) }] };
    return inputRequired({
      inputRequests: {
        headline: inputRequired.createMessage({
          systemPrompt: 'You write headlines.',
          messages: [{ role: 'user', content: { type: 'text', text } }],
          maxTokens: 40,
        }),
      },
    });
  });
  // #endregion sampling
}

export function addFoldersTool(server: McpServer): void {
  // #region roots
  server.registerTool('folders', {}, (extra) => {
    const ctx = inputContext(extra);
    const offered = ctx.rootsResult('folders');
    if (offered === undefined) return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
    return { content: [{ type: 'text', text: offered.roots.map(({ name, uri }) => name ?? uri).join('\n') }] };
  });
  // #endregion roots
}
