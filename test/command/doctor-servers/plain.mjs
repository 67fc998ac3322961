// A server of SDK v1 on stdio, as it was before: its tool asks in mid-body, with elicitInput. It adds a line to the file
// that its argument names for each call, and one more where the person said yes.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const [calls] = process.argv.slice(2);
const server = new McpServer({ name: 'plain', version: '1.2.3' });
server.registerTool('erase', {}, async () => {
  appendFileSync(calls, 'called\n');
  const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };
  const { action } = await server.server.elicitInput({ message: 'Erase all?', requestedSchema });
  if (action === 'accept') appendFileSync(calls, 'erased\n');
  return { content: [{ type: 'text', text: action === 'accept' ? 'erased' : 'kept' }] };
});
await server.connect(new StdioServerTransport());
