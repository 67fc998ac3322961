import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import {
  ADA,
  echo,
  FACES,
  initialize,
  modern,
  modernEcho,
  OPENING,
  openEndpoint,
  request,
  textOf,
} from './session-endpoint.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const openingWith = (meta: Json): Json => request('initialize', { ...OPENING, _meta: meta }, 'open');

/** The first message of an event stream. */
const firstOf = async (response: Response): Promise<Json> => {
  const data = /^data: (.+)$/m.exec(await response.text())?.[1] ?? '{}';
  return JSON.parse(data) as Json;
};

describe.each(FACES)('[M4a] an era is what was negotiated or claimed (through %s)', (face) => {
  it('[F13] initialize asking for 2026-07-28 gets a handshake revision, and questions live', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = endpoint.connect();
    const answer = await peer.handshake({ revision: '2026-07-28', capabilities: { elicitation: {} } });
    expect(answer['result'].protocolVersion).toBe('2025-11-25');
    expect(streams.sessionId).toBeDefined();
    await peer.callTool('ask');
    const leg = await peer.next();
    expect(leg).toMatchObject({ method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } });
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'initialize asking for %s gets it',
    async (revision) => {
      const endpoint = await openEndpoint({}, { face });
      const answer = await endpoint.connect().peer.handshake({ revision });
      expect(answer['result'].protocolVersion).toBe(revision);
    },
  );

  it('_meta without the claim key is no claim', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { peer, streams } = await endpoint.open();
    const _meta = { [CAPABILITIES]: { elicitation: {} }, 'io.modelcontextprotocol/clientInfo': { name: 'c' } };
    const id = await peer.callTool('echo', { text: 'hi' }, { _meta });
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'hi' }] } });
    expect(streams.post(id).status).toBe(200);
    const alone = await endpoint.send({ body: request('tools/list', { _meta }) });
    expect(alone.status).toBe(400);
    expect(await alone.json()).toMatchObject({ id: 1, error: { code: -32000 } });
  });

  it.each([
    ['of a version that is none', { [VERSION]: 'zzz' }],
    ['of a handshake version', { [VERSION]: '2025-11-25', [CAPABILITIES]: {} }],
    ['without capabilities', { [VERSION]: '2026-07-28' }],
    ['that is null', { [VERSION]: null }],
  ])('initialize with a broken claim is a handshake: %s', async (_name, meta) => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send({ body: openingWith(meta) });
    expect(response.status).toBe(200);
    expect(await firstOf(response)).toMatchObject({ id: 'open', result: { protocolVersion: '2025-11-25' } });
    expect(response.headers.get('mcp-session-id')).not.toBeNull();
    expect(endpoint.contexts.map(({ era }) => era)).toEqual(['handshake']);
  });

  it('initialize with a whole claim is modern, which has no initialize', async () => {
    const endpoint = await openEndpoint({}, { face });
    const response = await endpoint.send(modern('initialize', OPENING));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(endpoint.handler.stats().sessions).toBe(0);
  });

  it.each([
    ['of a version that is not served', -32022, { [VERSION]: '2099-01-01' }],
    ['of a handshake version', -32022, { [VERSION]: '2025-11-25' }],
    ['without capabilities', -32602, { [CAPABILITIES]: undefined }],
  ])('a broken claim on anything else never falls back, also in a session: %s', async (_name, code, meta) => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open();
    const { headers, body } = modernEcho();
    const { params, ...message } = body as Json;
    const broken = { ...message, params: { ...params, _meta: { ...params._meta, ...meta } } };
    const claimed = (meta as Json)[VERSION] ?? '2026-07-28';
    const sent = { ...headers, 'mcp-protocol-version': claimed, 'mcp-session-id': streams.sessionId ?? '' };
    const response = await endpoint.send({ body: broken, headers: sent });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code } });
    expect(endpoint.runs).toEqual([]);
  });

  it('[F19] a claim is served modern where a session header comes with it, of somebody or of nobody', async () => {
    const endpoint = await openEndpoint({}, { face });
    const { streams } = await endpoint.open({}, 'app/ada');
    for (const id of [streams.sessionId ?? '', 'nobody']) {
      const { headers, body } = modernEcho();
      const response = await endpoint.send({ body, headers: { ...headers, 'mcp-session-id': id } });
      expect(response.status).toBe(200);
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    }
  });

  it('[F16] server/discover needs no session', async () => {
    const endpoint = await openEndpoint({}, { face });
    await endpoint.open();
    const response = await endpoint.send(modern('server/discover'));
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as Json;
    expect(result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
  });
});

describe.each(FACES)("eras: 'handshake' (through %s)", (face) => {
  it('serves sessions, questions live', async () => {
    const endpoint = await openEndpoint({ eras: 'handshake' }, { face });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    await peer.answer(await peer.next(), ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
  });

  it('[F15] refuses a claim with its id, and runs nothing', async () => {
    const endpoint = await openEndpoint({ eras: 'handshake' }, { face });
    for (const sent of [modernEcho(), modern('server/discover')]) {
      const response = await endpoint.send(sent);
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: {} });
    }
    expect(endpoint.servers).toEqual([]);
  });
});

describe.each(FACES)("eras: 'modern' (through %s)", (face) => {
  it('serves claims', async () => {
    const endpoint = await openEndpoint({ eras: 'modern' }, { face });
    const response = await endpoint.send(modernEcho());
    expect(await response.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    expect(endpoint.contexts.map(({ era }) => era)).toEqual(['modern']);
  });

  it('refuses initialize, naming the version that is served', async () => {
    const endpoint = await openEndpoint({ eras: 'modern' }, { face });
    const response = await endpoint.send({ body: initialize(5) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 5,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
    expect(endpoint.servers).toEqual([]);
  });

  it('refuses what claims nothing', async () => {
    const endpoint = await openEndpoint({ eras: 'modern' }, { face });
    const response = await endpoint.send({ body: echo('hi', 6) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 6, error: { code: -32022 } });
  });

  it.each(['GET', 'DELETE'])('has no %s', async (method) => {
    const endpoint = await openEndpoint({ eras: 'modern' }, { face });
    const response = await endpoint.send({ method, headers: { 'mcp-session-id': 'nobody' } });
    expect(response.status).toBe(405);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} });
  });
});
