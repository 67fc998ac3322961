/** A tool that reads its answers with the readers that SDK v2 has under the same names. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { acceptedContent, inputContext, inputRequired, inputResponse } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function addRenameTool(server: McpServer): void {
  // #region readers
  const answer = z.object({ name: z.string().min(1) });

  server.registerTool('rename', { inputSchema: { from: z.string() } }, ({ from }, extra) => {
    // In SDK v2: ctx.mcpReq.inputResponses
    const { responses } = inputContext(extra);
    const name = acceptedContent(responses, 'name', answer)?.name;
    if (name !== undefined) return textResult(`${from} is called ${name} now.`);
    if (inputResponse(responses, 'name').kind !== 'missing') return textResult(`${from} keeps its name.`);
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: `A new name for ${from}?`, requestedSchema: answer }) },
    });
  });
  // #endregion readers
}
