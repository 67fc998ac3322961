/** Resources of every kind, and the subscriptions that SDK v1 leaves to its users. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { PNG } from './samples.ts';

const DATA = new ResourceTemplate('test://template/{id}/data', { list: undefined });

export function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text', mimeType: 'text/plain' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'The content of the static text.' }] }),
  );

  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image', mimeType: 'image/png' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'image/png', blob: PNG }] }),
  );

  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'A text to subscribe to', mimeType: 'text/plain' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] }),
  );

  server.registerResource(
    'template-data',
    DATA,
    { description: 'The data of an id', mimeType: 'application/json' },
    ({ href: uri }, { id }) => ({ contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] }),
  );

  // Nothing here ever changes, so there is nothing to keep of who has subscribed.
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}
