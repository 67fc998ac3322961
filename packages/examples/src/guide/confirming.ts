/** A tool that acts only on an explicit yes. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function addDropTool(server: McpServer, drop: (table: string) => void): void {
  // #region confirm
  server.registerTool('drop_table', { inputSchema: { table: z.string() } }, ({ table }, extra) => {
    const { ask, decision } = inputContext(extra).confirm('drop', {
      message: `Drop the table ${table} for good?`,
      title: 'Yes, drop it',
    });
    if (ask !== undefined) return ask;
    if (decision === 'no') return textResult(`The table ${table} was kept.`);
    drop(table);
    return textResult(`The table ${table} is gone.`);
  });
  // #endregion confirm
}
