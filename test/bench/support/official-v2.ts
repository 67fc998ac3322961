/** The official SDK v2, which serves handshake clients with a shim of its own. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { acceptedContent, inputRequired, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { deployed, FORM, question } from './deploy.ts';
import type { Deploy } from './servers.ts';

type DeployV2 = (service: string, context: ServerContext) => ReturnType<Deploy> | ReturnType<typeof inputRequired>;

/** A v2 server with the same tool. The two SDKs agree on what a transport is, though not on its type. */
export function createServerV2(deploy: DeployV2): { connect(transport: Transport): Promise<void> } {
  const server = new McpServer({ name: 'bench', version: '2.0.0' });
  const inputSchema = z.object({ service: z.string() });
  server.registerTool('deploy', { inputSchema }, async ({ service }, context) => deploy(service, context));
  return { connect: (transport) => server.connect(transport as unknown as Parameters<McpServer['connect']>[0]) };
}

export const deployBareV2: DeployV2 = async (service, { mcpReq }) => {
  const params = { mode: 'form' as const, message: question(service), requestedSchema: FORM };
  return deployed(service, (await mcpReq.elicitInput(params, { signal: mcpReq.signal })).content);
};

export const deployAskingV2: DeployV2 = (service, { mcpReq }) => {
  const content = acceptedContent(mcpReq.inputResponses, 'form');
  if (content !== undefined) return deployed(service, content);
  return inputRequired({
    inputRequests: { form: inputRequired.elicit({ message: question(service), requestedSchema: FORM }) },
  });
};
