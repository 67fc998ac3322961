import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type DualEraEvent, once } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../interop/serving-clients.ts';
import type { Json } from '../support/json.ts';
import { read } from './quotes.ts';

const page = read('docs/existing-servers.md');
const errors = read('docs/errors.md');
const source = (file: string): string => read(`packages/shim/src/${file}`);

const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
type Play = (ask: (message: string) => Promise<unknown>, server: McpServer, extra: never) => Promise<unknown>;

/** Calls a tool that plays `play`, replayed for a modern client whose person answers `name`: how it ended, and the events. */
async function call(play: Play, name = 'Ada') {
  const events: DualEraEvent[] = [];
  const factory = () => {
    const server = new McpServer({ name: 'play', version: '1' });
    const ask = (message: string) => server.server.elicitInput({ message, requestedSchema });
    server.registerTool('play', {}, async (extra) => {
      await play(ask, server, extra as never);
      return { content: [] };
    });
    return server;
  };
  const handler = createMcpHandler(factory, {
    pushCalls: 'replay',
    inputRequired: { onEvent: (event) => void events.push(event) },
  });
  onTestFinished(handler.close);
  const send: typeof fetch = (input, init) => handler.fetch(new Request(input, init));
  const answers = { elicit: () => ({ action: 'accept', content: { name } }) };
  const client = await connect('modern', { url: new URL('http://localhost/mcp'), fetch: send }, answers);
  const ended = (await client.call('play', {}).catch((error: unknown) => error)) as Json;
  return { ended, asked: client.asked, events };
}

const thrownBy = (run: () => Promise<unknown>) => run().catch((error: unknown) => error as Error);

it('says what a suspended question rejects with', async () => {
  let message = '';
  await call(async (ask) => {
    await ask('Who?').catch((error: Error) => {
      message = error.message;
      throw error;
    });
  });
  expect(message).not.toBe('');
  expect(errors).toContain(`### SUSPENDED\n\n> ${message}\n`);
});

it('says what is said without the adapter for node', () => {
  const [, first, second] = /NOT_INSTALLED =\s+'(.+)' \+\s+'(.+)';/.exec(source('modern/node-face.ts')) ?? [];
  expect(errors).toContain(`### MISSING_PEER\n\n> ${first}${second}\n`);
});

it.each([
  ['an empty key', '', () => 1],
  ['a result that is no JSON', 'key', () => () => 1],
])('says how once is called badly: %s', async (_what, key, effect) => {
  let error: unknown;
  await call(async (_ask, _server, extra) => {
    error = await thrownBy(() => once<unknown>(extra, key, effect));
  });
  expect(error).toBeInstanceOf(TypeError);
  expect(errors).toContain(`\`${(error as Error).message}\``);
});

it('tells how much can be recorded, and that a question beyond it is not asked', async () => {
  const bytes = Number(/RECORD_BYTES = ([\d_]+);/.exec(source('state/codec.ts'))?.[1]?.replaceAll('_', ''));
  expect(page).toContain(`${String(bytes).replace(/\B(?=(\d{3})+$)/g, ' ')} bytes`);
  const five: Play = async (ask) => {
    for (const message of ['1', '2', '3', '4', '5']) await ask(message);
  };
  const { ended, asked } = await call(five, 'x'.repeat(40_000));
  expect(ended).toMatchObject({ code: -32603, message: expect.stringMatching(/^tools\/call cannot ask: .*too large/) });
  expect(asked).toEqual(['1', '2', '3', '4']);
});

it('tells that an undeclared kind ends the request, also inside a try', async () => {
  const { ended } = await call(async (_ask, server) => {
    await server.server.listRoots().catch(() => undefined);
  });
  expect(ended).toMatchObject({ code: -32021 });
});

it('tells that a slow finally is reported, and does no harm', async () => {
  const { ended, events } = await call(async (ask) => {
    try {
      await ask('Who?');
    } finally {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    }
  });
  expect(ended).toEqual({ content: [] });
  expect(events).toEqual([{ type: 'continued-after-suspend', method: 'tools/call', target: 'play' }]);
});

it('tells that a question which changes drifts in every round, until the client gives up', async () => {
  let count = 0;
  const { ended, asked, events } = await call(async (ask) => {
    count += 1;
    await ask(`Who, the time being ${count}?`);
  });
  expect(ended).toBeInstanceOf(Error);
  expect(asked.length).toBeGreaterThan(8);
  expect(events[0]).toEqual({ type: 'replay-drift', method: 'tools/call', target: 'play', position: 1 });
  expect(events).toHaveLength(asked.length);
});

it('tells that a ping is answered at once', async () => {
  const { ended } = await call((_ask, server) => server.server.ping());
  expect(ended).toMatchObject({ content: [] });
});
