/** Tools that return each kind of content, and one that fails. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { textResult } from '../src/handlers/text.ts';
import { PNG, WAV } from './samples.ts';

export function addContentTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Returns text' }, () => textResult('A simple text.'));

  server.registerTool('test_image_content', { description: 'Returns an image' }, () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  }));

  server.registerTool('test_audio_content', { description: 'Returns a sound' }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));

  server.registerTool('test_embedded_resource', { description: 'Returns a resource' }, () => ({
    content: [
      { type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' } },
    ],
  }));

  server.registerTool('test_multiple_content_types', { description: 'Returns three kinds of content' }, () => ({
    content: [
      { type: 'text', text: 'Text, an image and a resource.' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://mixed-resource', mimeType: 'application/json', text: '{}' } },
    ],
  }));

  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool always fails.');
  });
}
