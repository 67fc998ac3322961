/** A tool that sends a person to a page, and goes on when the page says that they are done. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completeElicitation, inputContext, inputRequired } from 'mcp-dual-era';
import { textResult } from '../handlers/text.ts';

/** The server's own record of who is signing in. The page of the URL writes to it. */
export interface SignIns {
  /** Starts one, under a name that cannot be guessed. */
  begin(): string;
  /** The user's name once the page is done; undefined when that takes too long, or `signal` says to stop. */
  finished(ticket: string, signal: AbortSignal): Promise<string | undefined>;
}

export function addFiguresTool(server: McpServer, signIns: SignIns): void {
  // #region sign-in
  server.registerTool('read_figures', {}, async (extra) => {
    const ctx = inputContext(extra);
    const ticket = ctx.requestState<{ ticket: string }>()?.ticket;
    if (ticket === undefined) {
      const begun = signIns.begin();
      return inputRequired({
        inputRequests: {
          'sign-in': inputRequired.elicitUrl({
            message: 'Sign in to read the figures.',
            url: `https://figures.example.com/sign-in?ticket=${begun}`,
          }),
        },
        requestState: { ticket: begun },
      });
    }
    // An accept: the person agreed to open the page. Whether they are signed in, only the page knows.
    if (ctx.elicitResult('sign-in')?.action !== 'accept') return textResult('You are not signed in.');
    const user = await signIns.finished(ticket, extra.signal);
    if (user === undefined) return textResult('The sign-in was not finished in time.');
    await completeElicitation(server, ctx.elicitationId('sign-in'));
    return textResult(`These are the figures for ${user}.`);
  });
  // #endregion sign-in
}
