import { expect, onTestFinished, vi } from 'vitest';
import type { Json } from './json.ts';
import { ManualClock, settle } from './manual-clock.ts';
import { type Opened, type OpenSettings, openSession, type TransportName } from './open.ts';
import type { HandshakeParams, Peer } from './peer.ts';
import { scriptParams } from './script-server.ts';

/** A script server with the handshake done, closed when the test is over. */
export async function session(
  transport: TransportName,
  handshake: HandshakeParams = {},
  settings: OpenSettings = {},
): Promise<Opened> {
  const opened = await openSession(transport, handshake, settings);
  onTestFinished(() => opened.close());
  return opened;
}

export interface OpenedOnClock extends Opened {
  readonly clock: ManualClock;
}

/** The same in memory, on a clock that stands still; when the test is over, nothing may be left on that clock. */
export async function clockSession(
  handshake: HandshakeParams = {},
  settings: OpenSettings = {},
): Promise<OpenedOnClock> {
  const clock = new ManualClock();
  const ports = { clock, warn: () => undefined };
  const opened = await openSession('memory', handshake, { ...settings, options: { ...settings.options, ports } });
  onTestFinished(async () => {
    await settle();
    const left = clock.pending;
    await opened.close();
    expect(left, 'timers and immediates left').toBe(0);
  });
  return { ...opened, clock };
}

/** Calls the tool that plays `script`. */
export function play(peer: Peer, script: readonly unknown[], id?: string | number): Promise<string | number> {
  return peer.request('tools/call', scriptParams('tools/call', script), id);
}

/** Tells that nothing is under way to the peer: the answer to a call made now is the next message it gets. */
export async function expectSilence(peer: Peer): Promise<void> {
  await settle();
  const id = await peer.callTool('echo', { text: 'still here' });
  expect(await peer.next()).toEqual({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: 'still here' }] },
  });
}

/**
 * Tells that a call which is over has left no entry behind: its id is free again, and an answer to its leg is late.
 */
export async function expectForgotten(opened: Opened, id: string | number, leg: Json): Promise<void> {
  const { peer, events } = opened;
  await settle();
  const lateAnswers = () => events.filter(({ type }) => type === 'late-answer');
  const before = lateAnswers().length;
  await peer.answer(leg, { action: 'decline' });
  await peer.request('tools/call', { name: 'echo', arguments: { text: 'again' } }, id);
  expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'again' }] } });
  // What a child reports comes on another pipe than its answers.
  await vi.waitFor(() => expect(lateAnswers()).toHaveLength(before + 1));
}
