import { describe, expect, it } from 'vitest';
import { textOf } from './session-endpoint.ts';
import { openStdio } from './session-stdio.ts';

describe('[M5f] the end of stdin', () => {
  it('ends a handshake connection: running requests are answered first, open questions are ended', async () => {
    const { peer, until, told, exited, endInput } = openStdio();
    await peer.handshake({ capabilities: { elicitation: {} } });
    await peer.callTool('ask');
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    const id = await peer.callTool('finish');
    await until('running');
    endInput();
    const answer = await peer.next();
    expect([answer['id'], textOf(answer)]).toEqual([id, 'finished']);
    expect(await exited).toBe(0);
    expect(await peer.rest(0)).toEqual([]);
    expect(told).toEqual(['made handshake', 'running', 'closed']);
  });

  it('ends a modern connection: running requests are answered first, what is listened to is ended', async () => {
    const { peer, until, told, exited, endInput, modern } = openStdio();
    await modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'l' });
    expect(await peer.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    await modern('tools/call', { name: 'finish', arguments: {} }, { id: 2 });
    await until('running');
    endInput();
    const answer = await peer.next();
    expect(answer).toMatchObject({ id: 2, result: { resultType: 'complete' } });
    expect(textOf(answer)).toBe('finished');
    expect(await exited).toBe(0);
    expect(told).toEqual(['made modern', 'running', 'closed']);
  });

  it('ends a process that nobody has spoken to', async () => {
    const { told, exited, endInput } = openStdio();
    endInput();
    expect(await exited).toBe(0);
    expect(told).toEqual(['closed']);
  });

  it('ends a process that was only asked what it can do', async () => {
    const { peer, modern, exited, endInput } = openStdio();
    await modern('server/discover', {});
    expect(await peer.next()).toMatchObject({ result: { resultType: 'complete' } });
    endInput();
    expect(await exited).toBe(0);
  });
});

describe('close of a stdio connection, with stdin still open', () => {
  it('settles with closed, and lets a handshake process exit', async () => {
    const { peer, told, exited } = openStdio();
    await peer.handshake();
    await peer.callTool('close');
    expect(textOf(await peer.next())).toBe('closing');
    expect(await exited).toBe(0);
    expect(told).toEqual(['made handshake', 'closed', 'close settled']);
  });

  it('settles with closed, and lets a modern process exit, requests in flight or not', async () => {
    const { peer, modern, told, exited } = openStdio();
    await modern('tools/call', { name: 'wait', arguments: {} }, { id: 1 });
    await modern('tools/call', { name: 'close', arguments: {} }, { id: 2 });
    expect(textOf(await peer.next())).toBe('closing');
    expect(await exited).toBe(0);
    expect(told).toEqual(['made modern', 'closed', 'close settled']);
  });
});
