import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, withInputRequiredShim } from 'mcp-dual-era';

/** A server whose tool `erase` erases nothing before a person has confirmed it. */
export function createConfirmServer(): McpServer {
  const server = new McpServer({ name: 'confirm', version: '1' });
  server.registerTool('erase', {}, (extra) => {
    const { ask, decision } = inputContext(extra).confirm('sure', { message: 'Erase all 12 files?' });
    return ask ?? { content: [{ type: 'text', text: decision === 'yes' ? 'erased' : 'kept' }] };
  });
  return withInputRequiredShim(server);
}
