/** A server whose one tool asks one question. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator, field, form, inputContext, inputRequired } from 'mcp-dual-era';

// Shared by all sessions of the process.
const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());
const requestedSchema = form({ text: field.string() });

export function createCaptionServer(): McpServer {
  const server = new McpServer({ name: 'captions', version: '1.0.0' }, { jsonSchemaValidator });
  server.registerTool('caption', { description: 'Has a person write the caption of a picture' }, (extra) => {
    const text = inputContext(extra).accepted('caption', requestedSchema)?.text;
    // What is dear to keep would be made here, and kept until the answer is there: a browser, a model, a transaction.
    if (text === undefined) {
      const caption = inputRequired.elicit({ message: 'What is in the picture?', requestedSchema });
      return inputRequired({ inputRequests: { caption } });
    }
    return { content: [{ type: 'text', text }] };
  });
  return server;
}
