import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createHolds, withInputRequiredShim } from 'mcp-dual-era';
import { createMcpHandler, serveStdio } from 'mcp-dual-era/serve';
import { expect, it } from 'vitest';

const create = () => new McpServer({ name: 'x', version: '1' });

it.each<[string, () => unknown, RegExp]>([
  ['createHolds', () => createHolds({ maximum: 20 } as never), /^options must .*\bmax, .*, got "maximum"$/],
  ['the shim', () => withInputRequiredShim(create(), { maxRound: 3 } as never), /\bmaxRounds, .*, got "maxRound"$/],
  [
    'the serving entry',
    () => createMcpHandler(create, { holds: createHolds() } as never),
    /\binputRequired, .*, got "holds"$/,
  ],
  [
    'its sessions',
    () => createMcpHandler(create, { sessions: { maximum: 3 } } as never),
    /^sessions must .*, got "maximum"$/,
  ],
  ['serveStdio', () => serveStdio(create, { allowedHosts: ['x'] } as never), /^options must .*, got "allowedHosts"$/],
])('an option that %s does not have is refused, naming those it has', (_name, use, message) => {
  expect(use).toThrow(TypeError);
  expect(use).toThrow(message);
});
