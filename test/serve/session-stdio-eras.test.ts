import { describe, expect, it } from 'vitest';
import { ADA, OPENING, textOf } from './session-endpoint.ts';
import { openStdio } from './session-stdio.ts';

const ECHO = { name: 'echo', arguments: { text: 'hi' } };

describe('[M4b] a pipe that serves both eras', () => {
  it('[F14] [F13] answers server/discover, then initialize asking for 2026-07-28, and asks live', async () => {
    const { peer, modern, told } = openStdio();
    await modern('server/discover', {}, { id: 'd' });
    expect(await peer.next()).toMatchObject({ id: 'd', result: { resultType: 'complete' } });
    const opened = await peer.handshake({ revision: '2026-07-28', capabilities: { elicitation: {} } });
    expect(opened['result'].protocolVersion).toBe('2025-11-25');
    await peer.callTool('ask');
    const leg = await peer.next();
    expect(leg).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } });
    await peer.answer(leg, ADA);
    expect(textOf(await peer.next())).toBe('accept Ada');
    // From now on claims mean nothing, and the process stays up.
    await modern('tools/call', ECHO, { id: 2 });
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'hi' }] } });
    expect(told.at(-1)).toBe('made handshake');
  });

  it('[F17] serves a tools/call that claims 2026-07-28 modern, with nothing initialised', async () => {
    const { peer, modern, told } = openStdio();
    await modern('tools/call', { name: 'ask', arguments: {} }, { capabilities: { elicitation: {} } });
    expect(await peer.next()).toMatchObject({
      id: 1,
      result: { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create' } } },
    });
    await modern('tools/call', ECHO, { id: 2 });
    expect(await peer.next()).toMatchObject({
      id: 2,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'hi' }] },
    });
    expect(told).toEqual(['made modern']);
  });

  it('takes initialize with a broken claim for a handshake, and _meta without the claim key for none', async () => {
    const { peer } = openStdio();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': 'zzz' };
    await peer.request('initialize', { ...OPENING, _meta }, 0);
    expect(await peer.next()).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const id = await peer.request('tools/call', { ...ECHO, _meta: capabilities });
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'hi' }] } });
  });
});

describe('a pipe that serves one era', () => {
  it("refuses claims with eras: 'handshake', and serves initialize afterwards", async () => {
    const { peer, modern, told } = openStdio({ eras: 'handshake' });
    await modern('tools/call', ECHO, { id: 1 });
    expect(await peer.next()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32601 } });
    await modern('server/discover', {}, { id: 2 });
    expect(await peer.next()).toMatchObject({ jsonrpc: '2.0', id: 2, error: { code: -32601 } });
    await peer.handshake();
    const id = await peer.callTool('echo', { text: 'hi' });
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'hi' }] } });
    expect(told).toEqual(['made handshake']);
  });

  it("refuses initialize with eras: 'modern', naming the version that is served, and serves claims", async () => {
    const { peer, modern } = openStdio({ eras: 'modern' });
    await peer.request('initialize', OPENING, 0);
    expect(await peer.next()).toMatchObject({
      id: 0,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
    await modern('tools/call', ECHO, { id: 1 });
    expect(await peer.next()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });
});
