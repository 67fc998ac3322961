import { describe, expect, it, onTestFinished } from 'vitest';
import { createPlayServer } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

describe("the maxRequestBodySize of SDK v1's HTTP transport", () => {
  it.each([
    [10_000_000, 5_000_000, 200],
    [1_000, 50_000, 413],
    [1_000, 2_000_000, 413],
  ])('is kept: %i bytes, for a body of %i', async (maxRequestBodySize, length, status) => {
    const served = await serveFactory(() => createPlayServer(() => 'done'), {
      http: { sessionIdGenerator: undefined, maxRequestBodySize },
    });
    onTestFinished(() => served.close());
    const padding = 'x'.repeat(length);
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { padding } } }),
    });
    expect(response.status).toBe(status);
  });
});
