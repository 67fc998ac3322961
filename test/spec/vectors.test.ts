import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { TRANSPORTS } from '../support/matrix.ts';
import type { TransportName } from '../support/open.ts';
import type { Peer } from '../support/peer.ts';
import type { SdkName } from '../support/sdk.ts';
import { serveFactory } from '../support/serve-factory.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { type Bindings, findMismatch, substitute } from './match.ts';
import { createVectorServer } from './vector-server.ts';

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly era: string;
  readonly init?: { readonly protocolVersion: string; readonly capabilities: Json };
  readonly steps: readonly Json[];
}

const STDIO_SERVER = fileURLToPath(new URL('vector-server-stdio.ts', import.meta.url));
const file = readFileSync(new URL('vectors.json', import.meta.url), 'utf8');
const handshakeVectors = (JSON.parse(file).vectors as Vector[]).filter(({ era }) => era === 'legacy');

async function openVectorServer(
  transport: TransportName,
  sdk: SdkName,
): Promise<{ peer: Peer; close(): Promise<void> }> {
  if (transport === 'memory') return connectMemory(createVectorServer(sdk), sdk);
  if (transport === 'stdio') {
    const { peer } = stdio[sdk];
    return { peer, close: () => Promise.resolve() };
  }
  const served = await serveFactory(() => createVectorServer(sdk), { sdk });
  return { peer: served.connect().peer, close: served.close };
}

// One process for all vectors: SDK v1 takes a further initialize, and a process for each would take a second each.
const stdio: Record<SdkName, SpawnedServer> = {
  newest: spawnServer(STDIO_SERVER, ['newest']),
  oldest: spawnServer(STDIO_SERVER, ['oldest']),
};

beforeAll(async () => {
  for (const { peer } of Object.values(stdio)) {
    await peer.request('ping', {});
    await peer.next(30_000);
  }
}, 60_000);

afterAll(async () => {
  for (const { close } of Object.values(stdio)) await close();
});

async function play(peer: Peer, { init, steps }: Vector, isHttp: boolean): Promise<void> {
  if (init !== undefined) await peer.handshake({ revision: init.protocolVersion, capabilities: init.capabilities });
  const bindings: Bindings = new Map();
  let status = 0;
  for (const step of steps) {
    if ('send' in step) status = await peer.send(substitute(step['send'], bindings), step['headers']);
    if ('expect' in step) expect(findMismatch(step['expect'], await peer.next(), bindings)).toBeUndefined();
    if ('status' in step && isHttp) expect(status).toBe(step['status']);
    if ('expectNothing' in step) expect(await peer.rest(100)).toEqual([]);
  }
}

it('has the eight exchanges of the handshake era', () => {
  expect(handshakeVectors.map(({ id }) => id).join(' ')).toBe('V21 V22 V23 V24 V25 V26 V27 V28');
});

// A vector that names stdio needs a way back to the client, which HTTP with sessions and the in-memory pair have too.
for (const sdk of ['newest', 'oldest'] as const) {
  for (const transport of TRANSPORTS) {
    describe(`wire vectors (${transport}, ${sdk} SDK v1)`, () => {
      for (const vector of handshakeVectors) {
        it(`[${vector.id}] ${vector.title}`, async () => {
          const { peer, close } = await openVectorServer(transport, sdk);
          try {
            await play(peer, vector, transport === 'http');
          } finally {
            await close();
          }
        });
      }
    });
  }
}
