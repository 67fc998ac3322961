/** Tools whose input schemas say more than zod does: what it cannot say rides along as metadata. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { textResult } from '../src/handlers/text.ts';

const CONTACT = z
  .strictObject({
    name: z.string().optional(),
    address: z.unknown().optional().meta({ $ref: '#/$defs/address' }),
    contactMethod: z.enum(['phone', 'email']).optional(),
    phone: z.string().optional(),
    email: z.string().optional(),
  })
  .meta({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and no function
    then: { required: ['phone'] },
    else: { required: ['email'] },
  });

const REGION = { region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) };

export function addSchemaTools(server: McpServer): void {
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has an input schema with keywords of JSON Schema 2020-12', inputSchema: CONTACT },
    ({ name }) => textResult(`Kept ${name ?? 'somebody'}.`),
  );

  server.registerTool(
    'test_x_mcp_header',
    { description: 'Has an argument that travels as a header too', inputSchema: REGION },
    ({ region }) => textResult(`Region: ${region ?? 'none'}.`),
  );
}
