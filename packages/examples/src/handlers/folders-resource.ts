/** A resource that asks the client itself. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';

// #region resource
export function addFoldersResource(server: McpServer): void {
  server.registerResource(
    'folders',
    'deploy://folders',
    { description: 'The folders of the client that can be deployed', mimeType: 'text/plain' },
    (uri, extra) => {
      const offered = inputContext(extra).rootsResult('folders');
      if (offered === undefined) return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
      const text = offered.roots.map((root) => root.name ?? root.uri).join('\n');
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );
}
// #endregion resource
