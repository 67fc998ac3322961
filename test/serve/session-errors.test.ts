import { describe, expect, it } from 'vitest';
import {
  type Endpoint,
  echo,
  FACES,
  initialize,
  modernEcho,
  openEndpoint,
  type SentRequest,
} from './session-endpoint.ts';

type Case = [string, number, number, (endpoint: Endpoint, id: string | number) => Promise<SentRequest>];

const post = (id: string | number, headers: Record<string, string> = {}, caller?: string): SentRequest => ({
  body: echo('hi', id),
  headers,
  caller,
});

const sessionOf = async (endpoint: Endpoint, caller?: string): Promise<Record<string, string>> => {
  const { streams } = await endpoint.open({}, caller);
  return { 'mcp-session-id': streams.sessionId ?? '' };
};

/** What this package refuses itself; what SDK v1 and the engine refuse is theirs. */
const CASES: readonly Case[] = [
  ['without a session', 400, -32000, async (_, id) => post(id)],
  ['of a session nobody has', 404, -32001, async (_, id) => post(id, { 'mcp-session-id': 'nobody' })],
  [
    'of a session that was ended',
    404,
    -32001,
    async (endpoint, id) => {
      const { streams } = await endpoint.open();
      await streams.delete();
      return post(id, { 'mcp-session-id': streams.sessionId ?? '' });
    },
  ],
  [
    'in the session of another',
    404,
    -32001,
    async (endpoint, id) => post(id, await sessionOf(endpoint, 'app/ada'), 'app/eve'),
  ],
  ['from a page of somebody else', 403, -32000, async (_, id) => post(id, { origin: 'https://evil.example' })],
  ['of a caller that is denied', 403, -32000, async (_, id) => post(id, {}, 'app/denied')],
  [
    'with an id that is in flight',
    400,
    -32600,
    async (endpoint, id) => {
      const client = await endpoint.open();
      await client.peer.request('tools/call', { name: 'ask', arguments: {} }, id);
      await client.peer.next();
      return post(id, { 'mcp-session-id': client.streams.sessionId ?? '' });
    },
  ],
  [
    'when there are as many sessions as may be',
    503,
    -32000,
    async (endpoint, id) => {
      await endpoint.open();
      await endpoint.open();
      return { body: initialize(id) };
    },
  ],
  [
    'to an endpoint that is closed',
    503,
    -32000,
    async (endpoint, id) => {
      await endpoint.handler.close();
      return post(id);
    },
  ],
  [
    'of the modern era to an endpoint that is closed',
    503,
    -32000,
    async (endpoint, id) => {
      await endpoint.handler.close();
      return modernEcho('hi', id as number);
    },
  ],
];

const denying = ({ extra }: { extra?: { readonly [name: string]: unknown } | undefined }): string => {
  if (extra?.['sub'] === 'denied') throw new Error('denied');
  return String(extra?.['sub']);
};

describe.each(FACES)('[M3k] [F15] a request that is refused (through %s)', (face) => {
  describe.each([
    ['a number', 7],
    ['a text', 'seven'],
    ['zero', 0],
    ['an empty text', ''],
  ])('whose id is %s', (_, id) => {
    it.each(CASES)('gets JSON, JSON-RPC and its id: %s', async (_name, status, code, prepare) => {
      const endpoint = await openEndpoint({ sessions: { max: 2 }, inputRequired: { subject: denying } }, { face });
      const response = await endpoint.send(await prepare(endpoint, id));
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });
      expect(endpoint.runs).not.toContain('echo');
    });
  });
});

describe('[F15] a body that has no id to echo', () => {
  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['too long', JSON.stringify(echo('x'.repeat(2_000))), 413, -32000],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/x' }, 400, -32000],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, 400, -32000],
    ['a request whose id is an object', { ...echo(), id: {} }, 400, -32600],
  ])('gets JSON and JSON-RPC with the id null: %s', async (_name, body, status, code) => {
    const endpoint = await openEndpoint({ maxBodyBytes: 1_000 });
    const response = await endpoint.send({ body });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });
});
