/** A server worth testing: its tool asks twice, has one side effect between its questions, and one behind them. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired, once } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

/** The world outside, which a test replaces. */
export interface Office {
  book(room: string): string;
  mail(to: string, text: string): void;
}

const guest = z.object({ email: z.email() });

// #region server
export function createInviteServer(office: Office): McpServer {
  const server = new McpServer({ name: 'invites', version: '1.0.0' });
  server.registerTool('invite', { inputSchema: { room: z.string() } }, async ({ room }, extra) => {
    const ctx = inputContext(extra);
    const email = ctx.accepted('guest', guest)?.email ?? ctx.requestState<{ email: string }>()?.email;
    if (email === undefined) {
      if (ctx.round > 0) return textResult('Nobody is invited.');
      return inputRequired({
        inputRequests: { guest: inputRequired.elicit({ message: 'Who is invited?', requestedSchema: guest }) },
      });
    }
    // Without once, each run of the handler would book the room again.
    const booking = await once(extra, 'book', () => office.book(room));
    const { ask, decision } = ctx.confirm('sure', { message: `Invite ${email} to ${room}?`, title: 'Yes, invite' });
    if (ask !== undefined) return { ...ask, requestState: { email } };
    if (decision === 'no') return textResult('Nobody is invited.');
    office.mail(email, `You are invited: ${booking}`);
    return textResult(`${email} is invited.`);
  });
  return server;
}
// #endregion server
