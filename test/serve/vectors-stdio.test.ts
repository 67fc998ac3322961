import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpawnedServer } from '../support/spawn-server.ts';
import { spawnVectorServer } from './open-vector-server.ts';
import { playVector, VECTORS } from './play-vector.ts';

const vectors = VECTORS.filter(({ transport }) => transport !== 'http');
const modernVectors = vectors.filter(({ era }) => era === 'modern');

it('has all of the 30 exchanges but the five of HTTP alone', () => {
  expect(vectors).toHaveLength(25);
});

describe.concurrent('wire vectors over stdio, each on a connection of its own', () => {
  for (const vector of vectors) {
    it(`[${vector.id}] ${vector.title}`, async () => {
      const { peer, exited, close } = spawnVectorServer(vector.endpoint === 'modern-only' ? ['{"eras":"modern"}'] : []);
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
  let server: SpawnedServer;

  beforeAll(() => {
    server = spawnVectorServer();
  });

  afterAll(() => server.close());

  for (const vector of modernVectors) {
    it(`[${vector.id}] ${vector.title}`, () => playVector(server.peer, vector, false));
  }
});
