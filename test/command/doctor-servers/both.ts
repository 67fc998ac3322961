import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext } from 'mcp-dual-era';
import { serveStdio } from 'mcp-dual-era/serve';
import { z } from 'zod';

// A server of both eras on stdio, whose tool asks before it erases. It adds a line for each run to the file that its
// argument names, and one more if a person ever said yes.
const note = (line: string): void => appendFileSync(process.argv[2] ?? '', `${line}\n`);

serveStdio(() => {
  const server = new McpServer({ name: 'both', version: '2.0.0' });
  server.registerTool('erase', { inputSchema: { files: z.number() } }, ({ files }, extra) => {
    note('run');
    const { ask, decision } = inputContext(extra).confirm('sure', { message: `Erase ${files} files?` });
    if (ask !== undefined) return ask;
    if (decision === 'yes') note('erased');
    return { content: [{ type: 'text', text: decision === 'yes' ? 'erased' : 'kept' }] };
  });
  return server;
});
