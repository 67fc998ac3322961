/** A prompt that asks a person to choose. */
// #region prompt
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';

const choice = z.object({ audience: z.enum(['users', 'developers']) });

export function addReleaseNotesPrompt(server: McpServer): void {
  server.registerPrompt(
    'release_notes',
    { description: 'Release notes in the tone of their readers', argsSchema: { build: z.string() } },
    ({ build }, extra) => {
      const ctx = inputContext(extra);
      if (ctx.round === 0) {
        return inputRequired({
          inputRequests: {
            audience: inputRequired.elicit({ message: `Who reads about ${build}?`, requestedSchema: choice }),
          },
        });
      }
      // Nothing hangs on the answer, so without one the prompt takes its default.
      const audience = ctx.accepted('audience', choice)?.audience ?? 'everybody';
      const text = `Write release notes of ${build} for ${audience}.`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
// #endregion prompt
