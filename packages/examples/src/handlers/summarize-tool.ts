/** A tool that asks the client's model. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import type { BuildFeed } from '../build-feed.ts';
import { textOf, textResult } from './text.ts';

export function addSummarizeTool(server: McpServer, builds: BuildFeed): void {
  server.registerTool(
    'summarize',
    { description: "Sums up a build in the words of the client's model", inputSchema: { build: z.string() } },
    ({ build }, extra) => {
      const ctx = inputContext(extra);
      const changes = builds.changesOf(build).join('; ');
      // A client without a model still gets the facts.
      if (!ctx.canAsk('sampling')) return textResult(changes);
      const summary = ctx.samplingResult('summary');
      if (summary !== undefined) return textResult(textOf(summary));
      return inputRequired({
        inputRequests: {
          summary: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: `Sum up: ${changes}` } }],
            maxTokens: 100,
          }),
        },
      });
    },
  );
}
