import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Packed, packForConsumer } from '../support/packed.ts';

const require = createRequire(import.meta.url);

const CONSUMER = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completeElicitation, field, form, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';
const server = withInputRequiredShim(new McpServer({ name: 'x', version: '1' }));
server.registerTool('x', { inputSchema: { to: z.string() } }, async ({ to }, extra) => {
  const content: { n: number } | undefined = inputContext(extra).accepted('q', z.object({ n: z.number() }));
  if (content !== undefined) return { content: [{ type: 'text', text: to + content.n }] };
  const requestedSchema = form({ stage: field.choice(['a', 'b']), why: field.string({ optional: true }) });
  const deploy: { stage: 'a' | 'b'; why?: string } | undefined = inputContext(extra).accepted('d', requestedSchema);
  const { ask } = inputContext(extra).confirm('sure', { message: deploy?.stage ?? 'none' });
  if (ask !== undefined) return ask;
  await completeElicitation(server, inputContext(extra).elicitationId('auth'));
  const q = inputRequired.elicit({ message: 'Deploy?', requestedSchema });
  const z1 = inputRequired.elicit({ message: 'Deploy?', requestedSchema: z.object({ n: z.number() }) });
  return inputRequired({ inputRequests: { q, z1 } });
});
`;

const NODE16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
const BUNDLER = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

describe.each([
  ['zod 4, node16, as ESM and as CommonJS', require.resolve('zod/package.json'), NODE16, ['mts', 'cts']],
  ['zod 4, bundler', require.resolve('zod/package.json'), BUNDLER, ['ts']],
  ['zod 3.25, node16, as ESM and as CommonJS', require.resolve('zod-v3/package.json'), NODE16, ['mts', 'cts']],
])('[F44] the types of the packed package (%s)', (_, zod, resolution, extensions) => {
  let packed: Packed;
  beforeAll(() => {
    packed = packForConsumer(dirname(zod));
  }, 60_000);
  afterAll(() => packed?.remove());

  it('check, without a cast in the consumer', () => {
    const files = extensions.map((extension) => join(packed.directory, `consumer.${extension}`));
    for (const file of files) writeFileSync(file, CONSUMER);
    const program = ts.createProgram(files, {
      ...resolution,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      // The zod of this folder is SDK v1's zod too, as in an installation with one zod.
      preserveSymlinks: true,
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(problems).toEqual([]);
  }, 120_000);
});
