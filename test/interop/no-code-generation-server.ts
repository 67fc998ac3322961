import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { field, form, inputContext, inputRequired, type StandardSchema, withInputRequiredShim } from 'mcp-dual-era';
import * as z from 'zod';

// Run where code cannot be generated from strings: SDK v1's own Ajv, which does, is not built.
const jsonSchemaValidator = {
  getValidator: () => {
    throw new Error('SDK v1 validates nothing here');
  },
};
const server = new Server({ name: 'strict', version: '1' }, { capabilities: { tools: {} }, jsonSchemaValidator });

const schemas: Record<string, StandardSchema<{ mail: string; count: number }>> = {
  zod: z.object({ mail: z.email(), count: z.int().min(1).default(2) }).refine(({ count }) => count < 9),
  form: form({ mail: field.string({ format: 'email' }), count: field.integer({ minimum: 1, maximum: 8, default: 2 }) }),
};

server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
  const context = inputContext(extra);
  const schema = schemas[params.name];
  if (schema !== undefined) {
    const content = context.accepted('q', schema);
    if (content !== undefined) return { content: [{ type: 'text', text: `${content.mail} ${content.count}` }] };
    const q = inputRequired.elicit({ message: params.name, requestedSchema: schema });
    return inputRequired({ inputRequests: { q } });
  }
  const content = context.accepted<{ mail: string; when: string; colors: string[] }>('q');
  if (content !== undefined) return { content: [{ type: 'text', text: Object.values(content).join(' ') }] };
  let isRefused = false;
  try {
    new Function('return 1')();
  } catch {
    isRefused = true;
  }
  if (!isRefused) return { content: [{ type: 'text', text: 'code can be generated here' }], isError: true };
  return inputRequired({
    inputRequests: {
      q: inputRequired.elicit({
        message: 'When?',
        requestedSchema: {
          type: 'object',
          properties: {
            mail: { type: 'string', format: 'email', maxLength: 40 },
            when: { type: 'string', format: 'date' },
            colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, maxItems: 2 },
          },
          required: ['mail', 'when'],
        },
      }),
    },
    requestState: { step: 1 },
  });
});
await withInputRequiredShim(server).connect(new StdioServerTransport());
