import { inputContext, inputRequired } from 'mcp-dual-era';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import type { Report } from './modern-factories.ts';

const NAME = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };

/** A `Server` without `McpServer`, whose handlers see the params as the client sent them. */
export function createLowLevelServer(sdk: SdkName, report: Report) {
  const { Server, types } = sdkNamed(sdk);
  const server = new Server(
    { name: 'low-level', version: '1' },
    { capabilities: { tools: {} }, instructions: 'Ask away.' },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, async () => ({
    tools: [{ name: 'greet', inputSchema: { type: 'object' } }],
  }));
  const schema = types.CallToolRequestSchema;
  const loose = schema.extend({ params: schema.shape.params.loose() });
  server.setRequestHandler(loose as typeof schema, async ({ params }, extra) => {
    report({ params: Object.keys(params).sort(), meta: Object.keys(extra._meta ?? {}) });
    const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
    if (name !== undefined) return { content: [{ type: 'text', text: `Hello ${name}` }] };
    const who = inputRequired.elicit({ message: 'Your name?', requestedSchema: NAME });
    return inputRequired({ inputRequests: { who }, requestState: { greeted: false } });
  });
  server.fallbackRequestHandler = async ({ method }) => ({ answered: method, prompts: [] });
  return server;
}
