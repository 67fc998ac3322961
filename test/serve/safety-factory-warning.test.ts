import { createMcpHandler } from 'mcp-dual-era/serve';
import { expect, it, onTestFinished } from 'vitest';
import { modernEcho, TYPES } from './session-endpoint.ts';

// Once in a process, so in a file of its own.
it('a factory that makes no server is a process warning, once, where nobody listens; a client that errs is none', async () => {
  const warnings: string[] = [];
  let isBroken = false;
  const ports = { warn: (message: string) => void warnings.push(message) };
  const handler = createMcpHandler(
    async () => {
      const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
      if (isBroken) throw new Error('the database is down');
      return new McpServer({ name: 'x', version: '1' });
    },
    { inputRequired: { ports } },
  );
  onTestFinished(handler.close);
  const send = async (more: object = {}): Promise<number> => {
    const { headers, body } = modernEcho();
    const init = { method: 'POST', headers: { ...TYPES, ...headers, ...more }, body: JSON.stringify(body) };
    return (await handler.fetch(new Request('http://localhost/mcp', init))).status;
  };
  expect(await send({ 'mcp-protocol-version': '2025-11-25' })).toBe(400);
  expect(warnings).toEqual([]);
  isBroken = true;
  expect([await send(), await send()]).toEqual([500, 500]);
  expect(warnings).toEqual([
    expect.stringMatching(/^mcp-dual-era: the factory made no server: the database is down\. Give onerror /),
  ]);
});
