import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler as createOfficialHandler } from '@modelcontextprotocol/server';
import { createMcpHandler, type McpHandler } from 'mcp-dual-era/serve';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CELLS, DIFFERENCES } from './malformed-cells.ts';
import { listenNode, type NodeServer } from './node-server.ts';
import { createOfficialVectorServer } from './official-vector-server.ts';
import { tellAnswer } from './raw-http.ts';
import { createVectorServer } from './vector-factory.ts';

const names = CELLS.map(({ name }) => name);

let handler: McpHandler;
let ours: NodeServer;
let official: NodeServer;

beforeAll(async () => {
  handler = createMcpHandler(() => createVectorServer(), {
    inputRequired: { requestState: { keys: '0123456789abcdef0123456789abcdef' } },
  });
  ours = await listenNode((request, response) => handler.node(request, response));

  // The official handler leaves Host and Origin to guards in front of it.
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  const handle = toNodeHandler(createOfficialHandler(() => createOfficialVectorServer()));
  official = await listenNode(async (request, response) => {
    if (isHostAllowed(request, response) && isOriginAllowed(request, response))
      await handle(request as never, response);
  });
});

afterAll(async () => {
  await handler.close();
  await ours.close();
  await official.close();
});

describe('[M4c] [F18] a malformed request over HTTP is answered as by the official v2 server, or for a reason', () => {
  for (const { name, send, answer } of CELLS) {
    it(name, async () => {
      expect(await tellAnswer(official.url, send)).toBe(answer);
      expect(await tellAnswer(ours.url, send)).toBe(DIFFERENCES[name]?.ours ?? answer);
    });
  }

  it('and leaves nothing in flight', async () => {
    await vi.waitFor(() => expect(handler.stats().modern.inFlight).toBe(0));
  });
});

describe('the table of differences', () => {
  it('is about cells that exist, each under a name of its own', () => {
    expect(Object.keys(DIFFERENCES).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has no difference that is none', () => {
    const equal = CELLS.filter(({ name, answer }) => DIFFERENCES[name]?.ours === answer);
    expect(equal).toEqual([]);
  });
});
