/** An example server on SDK v1 whose tools, prompt and resources ask: each handler returns its question. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';
import { type BuildFeed, createBuildFeed } from './build-feed.ts';
import { addFoldersResource } from './handlers/folders-resource.ts';
import { addLogResource } from './handlers/log-resource.ts';
import { addReleaseNotesPrompt } from './handlers/release-notes-prompt.ts';
import { addSummarizeTool } from './handlers/summarize-tool.ts';
import { textResult } from './handlers/text.ts';

export function createDeployServer(): McpServer {
  const server = new McpServer({ name: 'deploy-server', version: '1.0.0' });
  const builds = createBuildFeed();
  addDeployTool(server, builds);
  addSummarizeTool(server, builds);
  addReleaseNotesPrompt(server);
  addFoldersResource(server);
  addLogResource(server);
  return withInputRequiredShim(server);
}

interface Plan {
  readonly build: string;
}

const confirmation = z.object({ confirm: z.boolean() });

// #region deploy
function addDeployTool(server: McpServer, builds: BuildFeed): void {
  server.registerTool(
    'deploy',
    {
      description: 'Deploys the newest build, once a person has confirmed it',
      inputSchema: { environment: z.enum(['staging', 'production']) },
    },
    ({ environment }, extra) => {
      const ctx = inputContext(extra);
      // Kept with the question: what was confirmed is what goes out, whatever has been built meanwhile.
      const plan = ctx.requestState<Plan>() ?? { build: builds.newest() };
      if (ctx.accepted('confirm', confirmation)?.confirm === true) {
        return textResult(`Deployed ${plan.build} to ${environment}.`);
      }
      // Whatever else came back is no yes: a decline, a dismissal, an unticked box, an answer of another shape.
      if (ctx.round > 0) return textResult('Not deployed.');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: `Deploy ${plan.build} to ${environment}?`,
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Yes, deploy it' } },
              required: ['confirm'],
            },
          }),
        },
        requestState: plan,
      });
    },
  );
}
// #endregion deploy
