import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, said } from '../support/own-server.ts';

const FORMS = { capabilities: { elicitation: {} } };

/** Calls a tool that takes what it is to work on out of its own arguments, then asks, then says what it took. */
async function taken(take: (args: Json, meta: Json) => unknown, given: Json, meta: Json = {}): Promise<unknown[]> {
  const runs: unknown[] = [];
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool(
    'tool',
    { inputSchema: { given: z.record(z.string(), z.unknown()) } },
    ({ given: args }, extra) => {
      runs.push(take(args as Json, extra._meta as Json));
      return inputContext(extra).round === 0 ? { content: [], ...ask({ who: form() }) } : said('done');
    },
  );
  withInputRequiredShim(server);
  const peer = await connectPeer(server, FORMS);
  await peer.request('tools/call', { name: 'tool', arguments: { given }, _meta: meta });
  await peer.answer(await peer.next(), ADA);
  expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text: 'done' }] });
  return runs;
}

describe('a handler that runs again', () => {
  it('has the arguments that were sent, whatever its first run did to them', async () => {
    expect(await taken(({ paths }) => paths.shift(), { paths: ['a', 'b'] })).toEqual(['a', 'a']);
  });

  it('has them at every depth, with their own __proto__', async () => {
    const given = JSON.parse('{"deep":[{"__proto__":{"list":[1,2]}}]}') as Json;
    const listIn = ({ deep }: Json): Json => Object.entries(deep[0] as Json)[0]?.[1]['list'];
    expect(await taken((args) => listIn(args)['shift'](), given)).toEqual([1, 1]);
  });

  it('has the _meta that was sent', async () => {
    const meta = { 'example.com/left': [1, 2] };
    expect(await taken((_args, given) => given['example.com/left'].pop(), {}, meta)).toEqual([2, 2]);
  });
});
