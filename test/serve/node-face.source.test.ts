import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFace } from '../../packages/shim/src/modern/node-face.ts';
import { listenNode } from './node-server.ts';

describe('handler.node without its package', () => {
  it('rejects with MISSING_PEER, the cause and the cure, with each request, and serves none', async () => {
    const cause = new Error("Cannot find package '@modelcontextprotocol/node'");
    let served = 0;
    const fetchServed = async (): Promise<Response> => {
      served += 1;
      return new Response();
    };
    const options = { maxBodyBytes: 1_000, onError: () => undefined };
    const node = nodeFace(fetchServed, options, () => Promise.reject(cause));
    const errors: unknown[] = [];
    const server = await listenNode((request, response) =>
      node(request, response).catch((error: unknown) => {
        errors.push(error);
        response.writeHead(500).end();
      }),
    );
    onTestFinished(() => server.close());
    for (let count = 0; count < 2; count += 1) expect((await fetch(server.url, { method: 'POST' })).status).toBe(500);
    const missing = { code: 'MISSING_PEER', cause, message: expect.stringContaining('handler.fetch') };
    expect(errors).toMatchObject([missing, missing]);
    expect(served).toBe(0);
  });
});
