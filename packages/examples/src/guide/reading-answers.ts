/** Every way to read an answer, in one tool. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function addTicketTool(server: McpServer): void {
  // #region response
  const ticket = z.object({ title: z.string().min(3) });

  server.registerTool('open_ticket', {}, (extra) => {
    const ctx = inputContext(extra);
    const given = ctx.response('ticket', ticket);
    switch (given.kind) {
      case 'elicit':
        if (given.action !== 'accept') return textResult('No ticket was opened.');
        if (given.content !== undefined) return textResult(`Opened "${given.content.title}".`);
        return askForTicket();
      case 'invalid':
        return askForTicket(given.issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
      case 'failed':
        return textResult(`No ticket was opened (${given.reason}).`);
      default:
        return askForTicket();
    }
  });
  // #endregion response
}

// #region note
function askForTicket(note?: string) {
  return inputRequired({
    inputRequests: {
      ticket: inputRequired.elicit({
        message: 'What is the ticket about?',
        requestedSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        note,
      }),
    },
  });
}
// #endregion note
