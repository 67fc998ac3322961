import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { type Endpoint, echo, FACES, modern, openEndpoint, type SentRequest } from './session-endpoint.ts';

const FOUR_MIB = 4_194_304;

/** A request whose body has exactly `bytes` bytes, in each era. */
const SIZED: readonly (readonly [string, (endpoint: Endpoint, bytes: number) => Promise<SentRequest>])[] = [
  [
    'handshake',
    async (endpoint, bytes) => {
      const { streams } = await endpoint.open();
      const headers = { 'mcp-session-id': streams.sessionId ?? '' };
      return { headers, body: filled((text) => echo(text), bytes) };
    },
  ],
  [
    'modern',
    async (_endpoint, bytes) => {
      const call = (text: string): SentRequest => modern('tools/call', { name: 'echo', arguments: { text } });
      return { ...call(''), body: filled((text) => call(text).body as Json, bytes) };
    },
  ],
];

function filled(messageOf: (text: string) => Json, bytes: number): string {
  const empty = JSON.stringify(messageOf('')).length;
  return JSON.stringify(messageOf('x'.repeat(bytes - empty)));
}

describe.each(FACES)('[M5b] the body of a request (through %s)', (face) => {
  describe.each(SIZED)('of the %s era', (_era, sized) => {
    it('may have 4 MiB, and not a byte more', async () => {
      const endpoint = await openEndpoint({}, { face });
      const allowed = await endpoint.send(await sized(endpoint, FOUR_MIB));
      expect(allowed.status).toBe(200);
      expect((await allowed.text()).length).toBeGreaterThan(4_000_000);
      const refused = await endpoint.send(await sized(endpoint, FOUR_MIB + 1));
      expect(refused.status).toBe(413);
      expect(refused.headers.get('content-type')).toBe('application/json');
      expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
      expect(endpoint.runs).toEqual(['echo']);
    });

    it('may have as much as maxBodyBytes, and not a byte more', async () => {
      const endpoint = await openEndpoint({ maxBodyBytes: 1_000 }, { face });
      expect((await endpoint.send(await sized(endpoint, 1_000))).status).toBe(200);
      expect((await endpoint.send(await sized(endpoint, 1_001))).status).toBe(413);
      expect(endpoint.runs).toEqual(['echo']);
    });

    it('may have more than 4 MiB where maxBodyBytes says so', async () => {
      const endpoint = await openEndpoint({ maxBodyBytes: 2 * FOUR_MIB }, { face });
      const response = await endpoint.send(await sized(endpoint, FOUR_MIB + 1));
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('"error"');
      expect(endpoint.runs).toEqual(['echo']);
    });
  });

  it('is counted in bytes, not in characters', async () => {
    const endpoint = await openEndpoint({ maxBodyBytes: 1_000 }, { face });
    const { streams } = await endpoint.open();
    const headers = { 'mcp-session-id': streams.sessionId ?? '' };
    expect((await endpoint.send({ headers, body: echo('\u{1F600}'.repeat(300)) })).status).toBe(413);
  });
});

describe('a body that never ends', () => {
  it('is not read any further than maxBodyBytes', async () => {
    const { handler, url } = await openEndpoint({ maxBodyBytes: 10_000 });
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_000;
        controller.enqueue(new Uint8Array(1_000).fill(32));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const response = await handler.fetch(new Request(url, init as RequestInit));
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(20_000);
  });
});
