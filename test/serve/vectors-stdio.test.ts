import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipedServer } from './in-process-server.ts';
import { startVectorServer } from './open-vector-server.ts';
import { playVector, VECTORS } from './play-vector.ts';

const vectors = VECTORS.filter(({ transport }) => transport !== 'http');
const modernVectors = vectors.filter(({ era }) => era === 'modern');

it('has all of the 30 exchanges but the five of HTTP alone', () => {
  expect(vectors).toHaveLength(25);
});

describe.concurrent('wire vectors over stdio, each on a connection of its own', () => {
  for (const vector of vectors) {
    it(`[${vector.id}] ${vector.title}`, async () => {
      const { peer, exited, close } = startVectorServer(vector.endpoint === 'modern-only' ? { eras: 'modern' } : {});
      try {
        await playVector(peer, vector, false);
      } finally {
        await close();
      }
      expect(await exited).toBe(0);
    });
  }
});

describe('wire vectors over stdio, one after the other on one connection of the modern era', () => {
  let server: PipedServer;

  beforeAll(() => {
    server = startVectorServer();
  });

  afterAll(() => server.close());

  for (const vector of modernVectors) {
    it(`[${vector.id}] ${vector.title}`, () => playVector(server.peer, vector, false));
  }
});
