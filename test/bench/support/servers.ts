/** SDK v1 servers that ask, each in its own way. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ElicitResult,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { type InputRequiredOptions, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';
import { deployed, FORM, question } from './deploy.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
export type Deploy = (service: string, extra: Extra, server: McpServer) => CallToolResult | Promise<CallToolResult>;

/** A server with one tool, `deploy`. */
export function createServer(deploy: Deploy): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('deploy', { inputSchema: { service: z.string() } }, ({ service }, extra) =>
    deploy(service, extra, server),
  );
  return server;
}

export function createShimmed(deploy: Deploy, options?: InputRequiredOptions): McpServer {
  return withInputRequiredShim(createServer(deploy), options);
}

/** Bare: awaits the answer inside the handler. With its signal, since a shim has to cancel too. */
export const deployBare: Deploy = async (service, extra, server) => {
  const params = { mode: 'form' as const, message: question(service), requestedSchema: FORM };
  return deployed(service, contentOf(await server.server.elicitInput(params, { signal: extra.signal })));
};

export function contentOf({ action, content }: ElicitResult): unknown {
  if (action !== 'accept') throw new Error(`The answer was ${action}`);
  return content;
}

/** Shimmed: returns an ask, and reads the answer when it runs again. */
export const deployAsking: Deploy = (service, extra) => {
  const content = inputContext(extra).accepted('form');
  if (content !== undefined) return deployed(service, content);
  return inputRequired({
    inputRequests: { form: inputRequired.elicit({ message: question(service), requestedSchema: FORM }) },
  });
};
