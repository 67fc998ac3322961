/** A form that confirms, among other fields. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function addArchiveTool(server: McpServer): void {
  // #region by-hand
  const approval = z.object({
    sure: z.boolean().meta({ title: 'Yes, archive it' }),
    reason: z.string().min(1).meta({ title: 'Why' }),
  });

  server.registerTool('archive_project', { inputSchema: { project: z.string() } }, ({ project }, extra) => {
    const ctx = inputContext(extra);
    // Only a state says that this was asked, and of this project: an answer may come unasked.
    if (ctx.requestState() === undefined) {
      const message = `Archive the project ${project}?`;
      return inputRequired({
        inputRequests: { approval: inputRequired.elicit({ message, requestedSchema: approval }) },
        requestState: { asked: true },
      });
    }
    const given = ctx.accepted('approval', approval);
    return textResult(given?.sure === true ? `Archived ${project}: ${given.reason}` : `${project} was kept.`);
  });
  // #endregion by-hand
}
