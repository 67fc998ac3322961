import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired, withInputRequiredShim, withoutInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Json } from '../support/json.ts';

const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

/** A real client that knows the output schema of the tool, and answers with `action` where it declares elicitation. */
async function connect(wrap: typeof withInputRequiredShim, action?: 'accept' | 'decline'): Promise<Client> {
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('greet', { outputSchema: { greeting: z.string() } }, (extra) => {
    const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
    if (name === undefined) {
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
      });
    }
    const greeting = `Hello ${name}`;
    return { content: [{ type: 'text', text: greeting }], structuredContent: { greeting } };
  });
  wrap(server);
  const client = new Client({ name: 'real', version: '1' }, action && { capabilities: { elicitation: {} } });
  if (action !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, () =>
      action === 'accept' ? { action, content: { name: 'Ada' } } : { action },
    );
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  onTestFinished(() => client.close());
  await server.connect(far);
  await client.connect(near);
  await client.listTools();
  return client;
}

const OUTCOME = { method: 'tools/call', target: 'greet' };

describe('a tool with an outputSchema', () => {
  it('asks, and gives its structured content to a real v1 client', async () => {
    const client = await connect(withInputRequiredShim, 'accept');
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Hello Ada' }],
      structuredContent: { greeting: 'Hello Ada' },
    });
  });

  it.each([
    [
      'unsupported',
      withInputRequiredShim,
      undefined,
      'it has to ask something that this client cannot answer (it did not declare elicitation.form).',
      { ...OUTCOME, reason: 'unsupported', round: 1, requiredCapabilities: { elicitation: { form: {} } } },
    ],
    [
      'declined',
      withInputRequiredShim,
      'decline',
      'its question was declined (the question is "who").',
      { ...OUTCOME, reason: 'declined', round: 2, key: 'who' },
    ],
    [
      'shim-off',
      withoutInputRequiredShim,
      'accept',
      'it has to ask something, and asking is switched off on this server (wrap the server with ' +
        'withInputRequiredShim before connect, or keep the handler from asking).',
      { ...OUTCOME, reason: 'shim-off', round: 1 },
    ],
  ] as const)(
    'keeps the message of a refusal for a real v1 client: %s (F27, F48)',
    async (_name, wrap, action, why, outcome) => {
      const client = await connect(wrap, action);
      const result = (await client.callTool({ name: 'greet', arguments: {} })) as Json;
      expect(result).toEqual({
        content: [{ type: 'text', text: `The tool greet was not completed: ${why}` }],
        isError: true,
        _meta: { 'mcp-dual-era/outcome': outcome },
      });
    },
  );
});
