/**
 * An example server on SDK v1 whose tools, prompt and resources ask: each handler returns its question. The serving entry
 * puts the shim on it; where there is none, that is `withInputRequiredShim(createDeployServer())`.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator, inputContext } from 'mcp-dual-era';
import { z } from 'zod';
import { type BuildFeed, createBuildFeed } from './build-feed.ts';
import { addFoldersResource } from './handlers/folders-resource.ts';
import { addLogResource } from './handlers/log-resource.ts';
import { addReleaseNotesPrompt } from './handlers/release-notes-prompt.ts';
import { addSummarizeTool } from './handlers/summarize-tool.ts';
import { textResult } from './handlers/text.ts';

// #region factory
// Shared by all servers of the process. A client on 2026-07-28 gets a new server with each request over HTTP.
const builds = createBuildFeed();
const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());

export function createDeployServer(): McpServer {
  const server = new McpServer({ name: 'deploy-server', version: '1.0.0' }, { jsonSchemaValidator });
  addDeployTool(server, builds);
  addSummarizeTool(server, builds);
  addReleaseNotesPrompt(server);
  addFoldersResource(server);
  addLogResource(server);
  return server;
}
// #endregion factory

interface Plan {
  readonly build: string;
}

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
      const { ask, decision } = ctx.confirm('confirm', {
        message: `Deploy ${plan.build} to ${environment}?`,
        title: 'Yes, deploy it',
      });
      if (ask !== undefined) return { ...ask, requestState: plan };
      return textResult(decision === 'yes' ? `Deployed ${plan.build} to ${environment}.` : 'Not deployed.');
    },
  );
}
// #endregion deploy
