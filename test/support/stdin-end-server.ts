import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { inputRequired, withInputRequiredShim } from 'mcp-dual-era';

// A server on stdio whose tools end, or would go on for ever, after the end of stdin.
const server = new McpServer({ name: 'stdin-end', version: '1' });
const stdinEnd = new Promise<void>((resolve) => void process.stdin.once('end', resolve));
const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const ask = () =>
  inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) } });

/** Some turns of the event loop, as work of its own would take. */
async function work(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

server.registerTool('ask', {}, () => ask());
server.registerTool('elicit', {}, async () => {
  const { action } = await server.server.elicitInput({ mode: 'form', message: 'Your name?', requestedSchema });
  return { content: [{ type: 'text', text: action }] };
});
server.registerTool('finish', {}, async () => {
  await stdinEnd;
  await work();
  return { content: [{ type: 'text', text: 'finished' }] };
});
server.registerTool('ask-late', {}, async () => {
  await stdinEnd;
  await work();
  return ask();
});
await withInputRequiredShim(server).connect(new StdioServerTransport());
