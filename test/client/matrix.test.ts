import { fileURLToPath } from 'node:url';
import { connectDualEra } from 'mcp-dual-era/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import type { SdkName } from '../support/sdk.ts';
import { v1Client } from '../support/v1-clients.ts';
import { createHost, textOf } from './host.ts';
import { SERVERS, type ServerName, serveMatrix } from './matrix-servers.ts';

type ClientName = 'SDK v1 alone' | 'auto' | 'modern' | 'handshake';
type Cell = readonly [client: ClientName, server: ServerName, era: 'handshake' | 'modern'];
type Refusal = readonly [client: ClientName, server: ServerName, code: string, cure: RegExp];

const CELLS: readonly Cell[] = [
  ['SDK v1 alone', 'handshake', 'handshake'],
  ['SDK v1 alone', 'dual', 'handshake'],
  ['SDK v1 alone', 'official handshake', 'handshake'],
  ['SDK v1 alone', 'official dual', 'handshake'],
  ['auto', 'handshake', 'handshake'],
  ['auto', 'dual', 'modern'],
  ['auto', 'modern', 'modern'],
  ['auto', 'official handshake', 'handshake'],
  ['auto', 'official dual', 'modern'],
  ['auto', 'official modern', 'modern'],
  ['modern', 'dual', 'modern'],
  ['modern', 'modern', 'modern'],
  ['modern', 'official dual', 'modern'],
  ['modern', 'official modern', 'modern'],
  ['handshake', 'handshake', 'handshake'],
  ['handshake', 'dual', 'handshake'],
  ['handshake', 'official handshake', 'handshake'],
  ['handshake', 'official dual', 'handshake'],
];
const REFUSALS: readonly Refusal[] = [
  ['modern', 'handshake', 'NOT_MODERN', /mode: 'auto' or 'handshake'/],
  ['handshake', 'modern', 'NOT_HANDSHAKE', /mode: 'auto' or 'modern'/],
  ['modern', 'official handshake', 'NOT_MODERN', /mode: 'auto' or 'handshake'/],
  ['handshake', 'official modern', 'NOT_HANDSHAKE', /mode: 'auto' or 'modern'/],
];
const LONE: readonly ServerName[] = ['modern', 'official modern'];

const SERVER = fileURLToPath(new URL('matrix-serve-stdio.ts', import.meta.url));
const processOf = (name: ServerName) => ({ command: process.execPath, args: [...nodeArgs(SERVER), name] });

type Where = URL | ReturnType<typeof processOf>;

async function connect(client: ClientName, where: Where, sdk: SdkName) {
  const host = createHost({ sdk });
  if (client !== 'SDK v1 alone') {
    return { ...host, ...(await connectDualEra(host.client, where, { mode: client })) };
  }
  const { StdioClientTransport, StreamableHTTPClientTransport } = v1Client(sdk);
  const transport = where instanceof URL ? new StreamableHTTPClientTransport(where) : new StdioClientTransport(where);
  await host.client.connect(transport as never);
  return { ...host, era: 'handshake' };
}

async function expectIntroduced(...given: Parameters<typeof connect>): Promise<string> {
  const { client, era } = await connect(...given);
  expect(client.getServerVersion()).toMatchObject({ name: 'matrix', version: '1', title: 'The matrix' });
  expect(client.getInstructions()).toBe('Be brief.');
  expect(client.getServerCapabilities()).toMatchObject({ logging: {}, tools: { listChanged: true } });
  expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
  await client.close();
  return era;
}

describe.each(['newest', 'oldest'] as const)('[C1a] over HTTP, the client of %s SDK v1', (sdk) => {
  const served = new Map<ServerName, Awaited<ReturnType<typeof serveMatrix>>>();
  beforeAll(async () => {
    for (const name of SERVERS) served.set(name, await serveMatrix(name));
  });
  afterAll(async () => {
    for (const { close } of served.values()) await close();
  });
  const urlOf = (name: ServerName): URL => served.get(name)?.url as URL;

  it.each(CELLS)('%s reaches the %s server in the %s era, and knows it', async (client, server, era) => {
    expect(await expectIntroduced(client, urlOf(server), sdk)).toBe(era);
  });

  it.each(REFUSALS)('%s cannot reach the %s server: %s, and what to do', async (client, server, code, cure) => {
    await expect(connect(client, urlOf(server), sdk)).rejects.toMatchObject({
      name: 'DualEraError',
      code,
      message: expect.stringMatching(cure),
    });
  });

  it.each(LONE)('SDK v1 alone cannot reach the %s server', async (server) => {
    await expect(connect('SDK v1 alone', urlOf(server), sdk)).rejects.toThrow('-32022');
  });
});

// A process for each: HTTP has shown what a pinned mode is where it can connect.
describe('over stdio, the client of newest SDK v1', () => {
  const modes: readonly ClientName[] = ['SDK v1 alone', 'auto'];
  const cells = CELLS.filter(([client]) => modes.includes(client));

  it.each(cells)('%s reaches the %s server in the %s era, and knows it', async (client, server, era) => {
    expect(await expectIntroduced(client, processOf(server), 'newest')).toBe(era);
  });

  it.each(REFUSALS)('%s cannot reach the %s server: %s, and what to do', async (client, server, code, cure) => {
    await expect(connect(client, processOf(server), 'newest')).rejects.toMatchObject({
      name: 'DualEraError',
      code,
      message: expect.stringMatching(cure),
    });
  });

  it('SDK v1 alone cannot reach the modern server', async () => {
    await expect(connect('SDK v1 alone', processOf('modern'), 'newest')).rejects.toMatchObject({ code: -32022 });
  });
});
