import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, form } from '../support/asks.ts';
import { createPlayServer } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

describe('an HTTP body that is no JSON', () => {
  it.each(['{"jsonrpc":', '', 'null'])('is answered by the transport, with a JSON-RPC error: %j', async (body) => {
    const served = await serveFactory(() => createPlayServer(() => ask({ who: form() })));
    onTestFinished(() => served.close());
    const { peer, link } = served.connect();
    await peer.handshake();
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': link.sessionId ?? '',
      },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });
});
