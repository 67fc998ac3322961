import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { createPlayServer, PLAY_PARAMS } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
const PADDED: Json = { ...CALL, params: { ...CALL.params, _meta: { padding: 'x'.repeat(2_000_000) } } };

/** `body` in chunks, without a content-length. */
function chunked(body: string): ReadableStream<Uint8Array> {
  return new Blob([body]).stream() as ReadableStream<Uint8Array>;
}

const BODIES: [string, () => string | ReadableStream<Uint8Array>][] = [
  ['comes in chunks', () => chunked(JSON.stringify(CALL))],
  ['has 2 MB', () => JSON.stringify(PADDED)],
  ['comes in chunks, 2 MB in all', () => chunked(JSON.stringify(PADDED))],
  ['is a batch that comes in chunks', () => chunked(JSON.stringify([CALL]))],
];

describe.each(['newest', 'oldest'] as const)(
  '[H7c] [F52] a request whose id is in flight, over HTTP, of another caller (%s SDK v1)',
  (sdk) => {
    it.each(BODIES)('gets -32600 and not the result of the first, when its body %s', async (_name, body) => {
      let runs = 0;
      const factory = () =>
        createPlayServer(
          (context) => {
            runs += 1;
            return context.round === 0
              ? ask({ who: form() })
              : `Hello ${context.accepted<{ name: string }>('who')?.name}`;
          },
          { sdk },
        );
      const served = await serveFactory(factory, { sdk });
      onTestFinished(() => served.close());
      const { peer, link } = served.connect();
      await peer.handshake({ capabilities: { elicitation: {} } });
      await peer.send(CALL, { 'x-test-caller': 'client/ada' });
      const leg = await peer.next();

      const response = await fetch(served.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': link.sessionId ?? '',
          'x-test-caller': 'client/mallory',
        },
        body: body(),
        duplex: 'half',
      } as RequestInit);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32600 } });

      await peer.answer(leg, ADA, { 'x-test-caller': 'client/ada' });
      expect(await peer.next(2_000)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
      expect(runs).toBe(2);
    });
  },
);
