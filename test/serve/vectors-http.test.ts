import { createMcpHandler } from 'mcp-dual-era/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpLink } from '../support/http-link.ts';
import { Inbox } from '../support/inbox.ts';
import { Peer } from '../support/peer.ts';
import type { SdkName } from '../support/sdk.ts';
import { listenNode, type NodeServer } from './node-server.ts';
import { playVector, VECTORS } from './play-vector.ts';
import { createVectorServer } from './vector-factory.ts';

// V29 is two messages on one pipe: over HTTP each request has an era of its own. The other vectors that name stdio need
// a way back to the client, which a session has too.
const vectors = VECTORS.filter(({ id }) => id !== 'V29');

it('has all of the 30 exchanges but the one of a single pipe', () => {
  expect(vectors).toHaveLength(29);
});

describe.each(['newest', 'oldest'] as const)('wire vectors over HTTP, on the %s SDK v1', (sdk: SdkName) => {
  const closing: (() => Promise<void>)[] = [];
  const servers: Partial<Record<string, NodeServer>> = {};

  beforeAll(async () => {
    for (const [endpoint, eras] of [
      ['dual', 'both'],
      ['modern-only', 'modern'],
    ] as const) {
      const handler = createMcpHandler(() => createVectorServer(sdk), { eras });
      const server = await listenNode((request, response) => handler.node(request, response));
      servers[endpoint] = server;
      closing.push(() => handler.close(), server.close);
    }
  });

  afterAll(async () => {
    for (const close of closing) await close();
  });

  for (const vector of vectors) {
    it(`[${vector.id}] ${vector.title}`, async () => {
      const inbox = new Inbox();
      const link = new HttpLink((servers[vector.endpoint] as NodeServer).url, inbox);
      try {
        await playVector(new Peer(link, inbox), vector, true);
      } finally {
        await link.close();
      }
    });
  }
});
