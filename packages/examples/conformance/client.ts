/**
 * The client that the official conformance suite tests, on SDK v1. It calls whatever the server at the URL offers, all at
 * once: the suite's servers judge what reaches them. The suite starts it anew for each scenario.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { connectDualEra } from 'mcp-dual-era/client';

const url = new URL(process.argv[2] ?? '');
// What the suite wants called in some scenarios, which a client cannot know by itself.
const { toolCalls } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};

const client = new Client(
  { name: 'conformance-client', version: '1.0.0' },
  { capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} } },
);
// What is left out of the answer, the client fills in with the defaults of the form.
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
client.setRequestHandler(CreateMessageRequestSchema, () => {
  return { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));

const { era } = await connectDualEra(client, url);
console.log(era);
const { tools: hasTools, resources: hasResources, prompts: hasPrompts } = client.getServerCapabilities() ?? {};
// The lists first: what a tool is like decides what a call of it looks like.
const { tools } = hasTools === undefined ? { tools: [] } : await client.listTools();
const { resources } = hasResources === undefined ? { resources: [] } : await client.listResources();
const { prompts } = hasPrompts === undefined ? { prompts: [] } : await client.listPrompts();
const calls = toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }));
const ended = await Promise.allSettled([
  ...calls.map((params) => client.callTool(params)),
  ...resources.map(({ uri }) => client.readResource({ uri })),
  ...prompts.map(({ name }) => client.getPrompt({ name })),
]);
await client.close();
// Some of the suite's servers refuse a call, or answer it in a way that no server may: each is a line here.
for (const call of ended) if (call.status === 'rejected') console.log((call.reason as Error).message);

/** The simplest arguments that the tool takes; where it wants a schema, the first tool's, as it came. */
function argumentsFor({ inputSchema: { properties = {}, required = [] } }: Tool): Record<string, unknown> {
  const simplest = { string: 'text', number: 1, integer: 1, boolean: true, array: [], object: tools[0]?.inputSchema };
  return Object.fromEntries(
    required.map((name) => {
      const { type } = properties[name] as { type?: keyof typeof simplest };
      return [name, simplest[type ?? 'string']];
    }),
  );
}
