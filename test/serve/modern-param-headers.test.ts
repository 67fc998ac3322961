import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';
import { mirroredPost } from './mirrored-post.ts';
import { callOf, modern } from './modern-message.ts';

const OK = [200, undefined, 'ran'];
const MISMATCH = [400, -32020, undefined];

describe.each(['newest', 'oldest'] as const)('[M1g] Mcp-Param-* headers of a modern call (%s SDK v1)', (sdk) => {
  let handler: McpHandler;
  let header = 'Region';
  beforeAll(() => {
    const { McpServer } = sdkNamed(sdk);
    handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'headers', version: '1' });
      const inputSchema = {
        region: z.string().meta({ 'x-mcp-header': header }),
        limit: z.int().meta({ 'x-mcp-header': 'Limit' }).optional(),
        dry: z.boolean().meta({ 'x-mcp-header': 'Dry' }).optional(),
        plain: z.string().optional(),
      };
      server.registerTool('query', { inputSchema }, async () => ({ content: [{ type: 'text', text: 'ran' }] }));
      return server;
    });
  });
  afterAll(() => handler.close());

  const post = async (message: Json, headers: Json): Promise<Json> => {
    const request = mirroredPost(message, headers);
    const response = await handler.fetch(request);
    return { status: response.status, body: await response.json() };
  };
  const query = async (args: Json, headers: Json) => {
    const { status, body } = await post(callOf('query', args), headers);
    return [status, body.error?.code, body.result?.content[0].text];
  };

  it.each([
    ['is right', { region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
    ['is right, in other letters', { region: 'eu' }, { 'mcp-param-REGION': 'eu' }],
    ['has spaces around it', { region: 'eu' }, { 'Mcp-Param-Region': '  eu ' }],
    ['is in base64', { region: 'Zürich' }, { 'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=' }],
    ['is in base64 without need', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?ZXU=?=' }],
    ['is an integer', { region: 'eu', limit: 42 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Limit': '42' }],
    [
      'is an integer, written otherwise',
      { region: 'eu', limit: 42 },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Limit': '42.0' },
    ],
    ['is a boolean', { region: 'eu', dry: false }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Dry': 'false' }],
    ['is not for an argument', { region: 'eu', plain: 'x' }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Plain': 'y' }],
  ])('let it run where one %s', async (_name, args, headers) => {
    expect(await query(args, headers)).toEqual(OK);
  });

  it.each([
    ['is missing', { region: 'eu' }, {}],
    ['differs', { region: 'eu' }, { 'Mcp-Param-Region': 'us' }],
    ['differs in its letters', { region: 'eu' }, { 'Mcp-Param-Region': 'EU' }],
    ['differs in base64', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?dXM=?=' }],
    ['is broken base64', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?*?=' }],
    ['is another integer', { region: 'eu', limit: 42 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Limit': '43' }],
    ['is another boolean', { region: 'eu', dry: false }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Dry': 'true' }],
  ])('refuse it with HTTP 400 and -32020 where one %s', async (_name, args, headers) => {
    expect(await query(args, headers)).toEqual(MISMATCH);
  });

  it('are those of the tool as it is after its list has changed', async () => {
    expect(await query({ region: 'eu' }, { 'Mcp-Param-Region': 'eu' })).toEqual(OK);
    header = 'Area';
    handler.notify.toolsChanged();
    expect(await query({ region: 'eu' }, { 'Mcp-Param-Region': 'eu' })).toEqual(MISMATCH);
    expect(await query({ region: 'eu' }, { 'Mcp-Param-Area': 'eu' })).toEqual(OK);
    header = 'Region';
    // A client that is refused lists the tools and tries again; what it was given holds then.
    const { body } = await post(modern('tools/list'), {});
    expect(body.result.tools[0].inputSchema.properties.region['x-mcp-header']).toBe('Region');
    expect(await query({ region: 'eu' }, { 'Mcp-Param-Region': 'eu' })).toEqual(OK);
  });
});
