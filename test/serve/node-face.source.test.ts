import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFace } from '../../packages/shim/src/modern/node-face.ts';
import { listenNode } from './node-server.ts';

const NOT_FOUND = Object.assign(new Error("Cannot find package '@modelcontextprotocol/node'"), {
  code: 'ERR_MODULE_NOT_FOUND',
});

describe('handler.node without a usable adapter', () => {
  it.each([
    ['is not installed', () => Promise.reject(NOT_FOUND), /which is not installed: npm install/],
    ['is of another version', async () => ({}), /it has no toNodeHandler\): npm install/],
  ])('answers each request, serves none, and says what to install, where it %s', async (_what, load, message) => {
    let served = 0;
    const fetchServed = async (): Promise<Response> => {
      served += 1;
      return new Response();
    };
    const errors: Error[] = [];
    const options = {
      maxBodyBytes: 1_000,
      onError: (error: Error) => errors.push(error),
      onMisuse: (error: Error) => errors.push(error),
    };
    const server = await listenNode(nodeFace(fetchServed, options, load));
    onTestFinished(() => server.close());
    for (let count = 0; count < 2; count += 1) {
      const response = await fetch(server.url, { method: 'POST' });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ error: { code: -32603, message: 'Internal server error' } });
    }
    const missing = { code: 'MISSING_PEER', message: expect.stringMatching(message) };
    expect(errors).toMatchObject([missing, missing]);
    expect(served).toBe(0);
  });
});
