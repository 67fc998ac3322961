/** Handlers to start from. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';

export function addCountTool(server: McpServer): void {
  // #region output-schema
  const text = z.object({ text: z.string().min(1) });

  server.registerTool('count_words', { outputSchema: { words: z.int() } }, (extra) => {
    const ctx = inputContext(extra);
    const given = ctx.accepted('text', text);
    if (given !== undefined) {
      const words = given.text.split(/\s+/).length;
      return { content: [{ type: 'text', text: String(words) }], structuredContent: { words } };
    }
    // A result without structuredContent that fits must be an error.
    if (ctx.round > 0) return { content: [{ type: 'text', text: 'There is no text to count.' }], isError: true };
    return inputRequired({
      inputRequests: { text: inputRequired.elicit({ message: 'Which text?', requestedSchema: text }) },
    });
  });
  // #endregion output-schema
}

export function addInviteTool(server: McpServer): void {
  // #region one-after-the-other
  const guest = z.object({ name: z.string().min(1).meta({ title: 'Name' }) });
  const visit = z.object({ day: z.iso.date().meta({ title: 'Day' }) });

  server.registerTool('invite', {}, (extra) => {
    const ctx = inputContext(extra);
    // From the round that has just ended, or kept in the state of a round before.
    const name = ctx.accepted('guest', guest)?.name ?? ctx.requestState<{ name: string }>()?.name;
    if (name === undefined) {
      if (ctx.round > 0) return { content: [{ type: 'text', text: 'Nobody was invited.' }] };
      return inputRequired({
        inputRequests: { guest: inputRequired.elicit({ message: 'Who is invited?', requestedSchema: guest }) },
      });
    }
    const day = ctx.accepted('visit', visit)?.day;
    if (day !== undefined) return { content: [{ type: 'text', text: `${name} is invited for ${day}.` }] };
    if (ctx.response('visit').kind !== 'missing') {
      return { content: [{ type: 'text', text: `${name} was not invited.` }] };
    }
    return inputRequired({
      inputRequests: { visit: inputRequired.elicit({ message: `When does ${name} come?`, requestedSchema: visit }) },
      requestState: { name },
    });
  });
  // #endregion one-after-the-other
}
