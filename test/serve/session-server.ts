import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import type { ServeContext } from 'mcp-dual-era/serve';
import { z } from 'zod';

/** A call of the tool `wait`, which goes on until the test, or a cancellation, ends it. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly finish: () => void;
}

/** What the servers of one endpoint have done. */
export interface ServerLog {
  /** The tool of each run of a handler. */
  readonly runs: string[];
  readonly contexts: ServeContext[];
  readonly servers: McpServer[];
  /** How many of the servers have lost their connection. */
  closed: number;
  readonly waiting: Waiting[];
}

export const newLog = (): ServerLog => ({ runs: [], contexts: [], servers: [], closed: 0, waiting: [] });

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const NAME = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };

/** A server on SDK v1 as its user writes it: what serves it puts the middleware on. */
export function createSessionServer(log: ServerLog, context: ServeContext): McpServer {
  const server = new McpServer(
    { name: 'sessions', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } },
  );
  log.contexts.push(context);
  log.servers.push(server);
  server.server.onclose = () => {
    log.closed += 1;
  };

  server.registerTool('echo', { inputSchema: { text: z.string() } }, async (args) => {
    log.runs.push('echo');
    return text(args.text);
  });
  server.registerTool('ask', { inputSchema: { question: z.string().optional() } }, async ({ question }, extra) => {
    log.runs.push('ask');
    const answer = inputContext(extra).elicitResult('who');
    if (answer !== undefined) return text(`${answer.action} ${answer.content?.['name'] ?? ''}`.trim());
    const who = inputRequired.elicit({ message: question ?? 'Your name?', requestedSchema: NAME });
    return inputRequired({ inputRequests: { who } });
  });
  server.registerTool('wait', {}, async ({ signal }) => {
    log.runs.push('wait');
    await new Promise<void>((finish) => {
      log.waiting.push({ signal, finish });
      signal.addEventListener('abort', () => finish());
    });
    return text(signal.aborted ? 'aborted' : 'waited');
  });
  server.registerTool('who', {}, async ({ authInfo }) => text(JSON.stringify(authInfo ?? null)));
  server.registerTool('announce', {}, async () => {
    server.sendToolListChanged();
    return text('announced');
  });
  server.registerTool('touch', { inputSchema: { uri: z.string() } }, async ({ uri }) => {
    await server.server.sendResourceUpdated({ uri });
    return text('touched');
  });
  const uri = 'file:///cfg.json';
  server.registerResource('cfg', uri, {}, async () => ({ contents: [{ uri, text: '{}' }] }));
  server.server.setRequestHandler(SubscribeRequestSchema, async () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, async () => ({}));
  return server;
}
