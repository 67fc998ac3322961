import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { shimTransport, withInputRequiredShim } from 'mcp-dual-era';
import { expect, it, onTestFinished } from 'vitest';

const server = () => new McpServer({ name: 'own', version: '1' });

// One test: the warning comes once in a process, and each test file has a process of its own.
it('a roundTimeout under a second warns once, as a warning of the process', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));

  withInputRequiredShim(server(), { roundTimeout: 1_000 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);

  withInputRequiredShim(server(), { roundTimeout: 60 });
  withInputRequiredShim(server(), { roundTimeout: 999 });
  shimTransport(InMemoryTransport.createLinkedPair()[0], { roundTimeout: 30 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings.map(({ name, message }) => [name, message])).toEqual([
    [
      'McpDualEraWarning',
      'mcp-dual-era: roundTimeout is 60 ms, less than a person needs to answer. ' + 'Other SDKs count it in seconds.',
    ],
  ]);
});
