import { describe, expect, it } from 'vitest';
import { ADA, ask, form, told } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { TRANSPORTS } from '../support/matrix.ts';
import { open } from '../support/open.ts';
import { createPlayServer } from '../support/play-server.ts';
import { scriptParams } from '../support/script-server.ts';

const clientInfo = { name: 'c', version: '1' };
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

describe('field reports about the opening', () => {
  it.each(TRANSPORTS.filter((transport) => transport !== 'stdio'))(
    '[F13] [S5] initialize asking for 2026-07-28 is answered with a handshake revision, and asking works (%s)',
    async (transport) => {
      const { peer, close } = await open(transport);
      const answer = await peer.handshake({ revision: '2026-07-28', capabilities: { elicitation: {} } });
      expect(answer['result'].protocolVersion).toBe('2025-11-25');
      await peer.request('tools/call', scriptParams('tools/call', [ask({ who: form() })]));
      const leg = await peer.next();
      expect(leg['params'].mode).toBe('form');
      await peer.answer(leg, ADA);
      expect(told(await peer.next())['responses']).toEqual({ who: ADA });
      await close();
    },
  );

  it('[F14] server/discover, then initialize, on one stdio pipe: both answered, and the process stays up', async () => {
    const { peer, close } = await open('stdio');
    await peer.request('server/discover', { _meta: MODERN }, 'd');
    expect(await peer.next()).toMatchObject({ id: 'd', error: { code: -32601 } });
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
    await peer.request('initialize', params, 1);
    expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    await peer.request('tools/call', scriptParams('tools/call', [ask({ who: form() })]));
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['round']).toBe(1);
    await close();
  });

  it('[S9] initialize cannot be cancelled: it is answered, and the connection opens all the same', async () => {
    const { near, peer, close } = await connectMemory(createPlayServer(() => ask({ who: form() })));
    const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo };
    // Both in one turn: the cancellation is there before SDK v1 has answered.
    void near.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    void near.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await peer.next(500)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    await peer.request('tools/call', { name: 'play', arguments: {} }, 1);
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    await close();
  });
});
