/** A server as it may have been on SDK v1 for long. Nothing in it asks. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

// #region factory
const notes: string[] = [];
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export function createNotesServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' }, { jsonSchemaValidator });
  server.registerTool('add_note', { inputSchema: { text: z.string() } }, ({ text }) => {
    notes.push(text);
    return textResult(`${notes.length} notes`);
  });
  return server;
}
// #endregion factory
