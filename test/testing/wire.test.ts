import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { accept, runOnBothEras, type TestFactory } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { elicitName, textResult } from './questions.ts';

const region = z.string().meta({ 'x-mcp-header': 'Region' });
const inner = z.object({ zone: z.int().meta({ 'x-mcp-header': 'Zone' }) });

const factory: TestFactory = () => {
  const server = new McpServer({ name: 'wire', version: '1' });
  server.registerTool('where', { inputSchema: { region, inner: inner.optional() } }, ({ region: name }, extra) => {
    const ctx = inputContext(extra);
    if (ctx.round === 0) return inputRequired({ inputRequests: { who: elicitName() } });
    return { content: [{ type: 'text', text: `${ctx.accepted('who')?.['name']} in ${name}` }] };
  });
  const template = new ResourceTemplate('page://{name}', { list: undefined });
  server.registerResource('page', template, {}, (uri) => ({ contents: [{ uri: uri.href, text: 'found' }] }));
  return server;
};

describe('the modern client of the kit', () => {
  it.each([
    ['plain', { region: 'north' }, 'north'],
    ['beyond ASCII', { region: 'Örebro ' }, 'Örebro '],
    ['nested', { region: 'north', inner: { zone: 42 } }, 'north'],
  ])('mirrors arguments that have a header: %s', async (_name, args, text) => {
    const request = { method: 'tools/call', params: { name: 'where', arguments: args } } as const;
    const { modern, differences } = await runOnBothEras(factory, { request, answers: [accept({ name: 'Ada' })] });
    expect(differences).toEqual([]);
    expect(modern.result).toEqual(textResult(`Ada in ${text}`));
  });

  it('names a resource whatever its URI', async () => {
    const request = { method: 'resources/read', params: { uri: 'page://ö' } } as const;
    const { modern, differences } = await runOnBothEras(factory, { request });
    expect(differences).toEqual([]);
    expect(modern.ending).toBe('result');
  });

  it('plays a low-level Server as well', async () => {
    const lowLevel: TestFactory = () => {
      const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler(CallToolRequestSchema, (_request, extra) => {
        const name = inputContext(extra).accepted('who')?.['name'];
        if (name === undefined) return inputRequired({ inputRequests: { who: elicitName() } });
        return { content: [{ type: 'text', text: `Hello ${name}` }] };
      });
      return server;
    };
    const request = { method: 'tools/call', params: { name: 'any' } } as const;
    const { modern, differences } = await runOnBothEras(lowLevel, { request, answers: [accept({ name: 'Ada' })] });
    expect(differences).toEqual([]);
    expect(modern.result).toEqual(textResult('Hello Ada'));
  });
});
