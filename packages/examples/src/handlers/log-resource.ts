/** A resource template that asks a person how much to read. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';

// #region template
const LOG = ['error: a payment was refused', 'info: a cart was paid', 'info: a parcel left'];

const choice = z.object({ lines: z.int().min(1) });

export function addLogResource(server: McpServer): void {
  server.registerResource(
    'log',
    new ResourceTemplate('deploy://log/{environment}', { list: undefined }),
    { description: 'The newest lines of the log of an environment', mimeType: 'text/plain' },
    (uri, { environment }, extra) => {
      const ctx = inputContext(extra);
      if (ctx.round === 0) {
        return inputRequired({
          inputRequests: {
            amount: inputRequired.elicit({
              message: `How many lines of the ${environment} log?`,
              requestedSchema: choice,
            }),
          },
        });
      }
      const amount = ctx.accepted('amount', choice)?.lines ?? 1;
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: LOG.slice(0, amount).join('\n') }] };
    },
  );
}
// #endregion template
