/** One tool twice: with SDK v1's own `elicitInput`, and returning its question. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type FormSchema, inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';

export function addRenameBefore(server: McpServer): void {
  // #region before
  server.registerTool('rename', { inputSchema: { file: z.string() } }, async ({ file }, extra) => {
    const answer = await server.server.elicitInput(
      {
        message: `What is ${file} to be called?`,
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      { signal: extra.signal },
    );
    if (answer.action !== 'accept') return { content: [{ type: 'text', text: 'Nothing was renamed.' }] };
    return { content: [{ type: 'text', text: `${file} is called ${answer.content?.['name']} now.` }] };
  });
  // #endregion before
}

export function addRenameAfter(server: McpServer): void {
  // #region after
  const newName: FormSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  server.registerTool('rename', { inputSchema: { file: z.string() } }, ({ file }, extra) => {
    const ctx = inputContext(extra);
    if (ctx.round === 0) {
      const message = `What is ${file} to be called?`;
      return inputRequired({ inputRequests: { name: inputRequired.elicit({ message, requestedSchema: newName }) } });
    }
    const answer = ctx.accepted<{ name: string }>('name');
    if (answer === undefined) return { content: [{ type: 'text', text: 'Nothing was renamed.' }] };
    return { content: [{ type: 'text', text: `${file} is called ${answer.name} now.` }] };
  });
  // #endregion after
}
