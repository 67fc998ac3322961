import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler as createOfficialHandler, McpServer as OfficialServer } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { differingMembers } from '../../packages/shim/src/command/doctor/definitions.ts';
import { COMPLETE, serveScript, toolOf } from '../client/scripted-server.ts';
import type { Json } from '../support/json.ts';
import { listen } from './doctor-asking-server.ts';
import { diagnose } from './doctor-diagnose.ts';
import { SERVERS } from './doctor-processes.ts';

const icons = [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }];
const SPEC = {
  title: 'Plan',
  description: 'Plans it.',
  annotations: { title: 'Plan it', readOnlyHint: true },
  icons,
  _meta: { 'example.com/kind': 'plan' },
};

describe('the lists of a server that are the same', () => {
  it('are seen to be, whatever the order of members', async () => {
    const { verdicts } = await diagnose(['--', process.execPath, SERVERS.handshake, 'orders']);
    expect(verdicts['same-lists']).toBe('ok');
  });

  it('are seen to be on both eras of mcp-dual-era/serve, with all that may be said of a tool', async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'rich', version: '1' });
      const outputSchema = { files: z.array(z.string()) };
      server.registerTool(
        'plan',
        { ...SPEC, inputSchema: { when: z.string().describe('A day') }, outputSchema },
        () => ({
          content: [],
          structuredContent: { files: [] },
        }),
      );
      server.registerPrompt('sum', { title: 'Sum', description: 'Up', argsSchema: { of: z.string() } }, () => ({
        messages: [],
      }));
      server.registerResource('notes', 'notes://all', { mimeType: 'text/plain', description: 'All' }, () => ({
        contents: [],
      }));
      return server;
    });
    onTestFinished(() => handler.close());
    const { verdicts, report } = await diagnose([await listen((request, response) => handler.node(request, response))]);
    expect(verdicts['same-lists']).toBe('ok');
    expect(report['clients'].filter(({ tools }: Json) => tools !== null)).toHaveLength(8);
    expect(JSON.stringify(report)).not.toContain('Plans it.');
  });

  it('are seen to be on both eras of an official v2 server, whose output is no object', async () => {
    const handle = toNodeHandler(
      createOfficialHandler(() => {
        const server = new OfficialServer({ name: 'rich', version: '1' });
        server.registerTool('plan', { ...SPEC, outputSchema: z.array(z.string()) }, () => ({
          content: [],
          structuredContent: [],
        }));
        return server;
      }),
    );
    const { verdicts, clients } = await diagnose([
      await listen((request, response) => handle(request as never, response)),
    ]);
    expect(verdicts['same-lists']).toBe('ok');
    expect([clients('handshake')[0], clients('modern')[0]]).toEqual(['none: ok', 'none: ok']);
  });
});

describe('the lists of a server that differ', () => {
  it.each([
    ['schemas', 'ask (inputSchema.properties.files.minimum)'],
    // The client of SDK v1 would keep this one from us.
    ['vendors', 'ask (vendor.x.y)'],
  ])('are told of by item and member: %s', async (behaviour, seen) => {
    const { finding, exitCode } = await diagnose(['--', process.execPath, SERVERS.handshake, behaviour]);
    expect(exitCode).toBe(1);
    expect(finding('same-lists')).toMatchObject({
      verdict: 'problem',
      seen: `handshake: none has other tools than handshake: form: ${seen}`,
    });
  });

  it('are told of in few words', async () => {
    const listing = ({ elicitation }: Json) => {
      const isAsker = elicitation !== undefined;
      const more = isAsker ? { description: 'd', title: 't', annotations: {}, icons: [] } : {};
      const tools = Array.from({ length: 9 }, (_, n) => toolOf(`${'t'.repeat(200)}${n}`, undefined, more));
      return { ...COMPLETE, ttlMs: 0, cacheScope: 'private', tools };
    };
    const { url } = await serveScript(({ method, params }) => {
      const claimed = params['_meta']?.['io.modelcontextprotocol/clientCapabilities'];
      if (method === 'tools/list') return { result: listing(claimed) };
      return method === 'server/discover' ? undefined : { error: { code: -32601, message: 'No' } };
    });
    const { finding } = await diagnose([url.href]);
    const one = `${'t'.repeat(100)}... (description, title, annotations)`;
    expect(finding('same-lists')['seen']).toBe(
      `modern: none has other tools than modern: form: ${one}, ${one}, ${one} and 6 more`,
    );
  });
});

describe('two definitions', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['a missing member', { a: 1 }, {}, ['a']],
    ['another order of an array', { a: { b: [1, 2] } }, { a: { b: [2, 1] } }, ['a.b']],
    ['nothing alike', 'text', { a: 1 }, ['all of it']],
    ['a name of every object', JSON.parse('{"__proto__":1}'), { toString: 1 }, ['__proto__', 'toString']],
  ])('differ in %s', (_what, left, right, members) => {
    expect(differingMembers(JSON.stringify(left), JSON.stringify(right), false)).toEqual(members);
  });

  it('do not differ in what changes with time', () => {
    const at = (time: string, size: number) => ({
      size,
      annotations: { lastModified: time, priority: 1 },
      a: { size },
    });
    const paths = differingMembers(JSON.stringify(at('2026', 1)), JSON.stringify(at('2027', 2)), false);
    expect(paths).toEqual(['a.size']);
  });

  it('from two eras may differ in what these say in different ways', () => {
    const old = { execution: { taskSupport: 'forbidden' }, outputSchema: { type: 'object' }, a: 1 };
    const differ = (left: unknown, right: unknown, isAcross: boolean) =>
      differingMembers(JSON.stringify(left), JSON.stringify(right), isAcross);
    expect(differ(old, { outputSchema: { type: 'array' }, a: 2 }, true)).toEqual(['a']);
    expect(differ(old, { outputSchema: { type: 'object', title: 'Out' }, a: 1 }, true)).toEqual(['outputSchema.title']);
    expect(differ(old, { ...old, execution: {} }, false)).toEqual(['execution.taskSupport']);
  });
});
