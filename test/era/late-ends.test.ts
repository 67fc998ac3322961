import { inputContext, inputRequired, type Telemetry, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, told } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';
import { sdkNamed } from '../support/sdk.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };

describe('telemetry that rejects', () => {
  const reject = async (): Promise<never> => {
    throw new Error('the exporter is down');
  };
  it.each([
    ['onEvent', { onEvent: reject }],
    ['onHold', { onHold: reject }],
    ['contextOf', { contextOf: reject as never }],
  ])('in %s changes no call, and does not end the process', async (_name, broken) => {
    const telemetry = { onEvent: () => undefined, onHold: () => undefined, contextOf: () => undefined, ...broken };
    const { peer } = await session('memory', CAPABLE, { options: { telemetry: telemetry as Telemetry } });
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    expect(leg['params']._meta).toBeUndefined();
    await peer.answer(leg, ADA);
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });
});

it('a call that is cancelled by whoever hears of the end of its round is not answered', async () => {
  let peer: Peer | undefined;
  const onEvent = ({ type }: { type: string }): void => {
    if (type === 'round-end') void peer?.cancel(7);
  };
  const server = new (sdkNamed('newest').McpServer)({ name: 'x', version: '1' });
  const ends: unknown[] = [];
  server.registerTool('ask', {}, () => inputRequired({ inputRequests: { who: form() as never } }));
  server.registerTool('echo', { inputSchema: {} }, () => ({ content: [{ type: 'text', text: 'still here' }] }));
  withInputRequiredShim(server, {
    onEvent: (event) => {
      onEvent(event);
      if (event.type === 'hold-end') ends.push(event.outcome);
    },
  });
  peer = await connectPeer(server, CAPABLE);
  await peer.request('tools/call', { name: 'ask', arguments: {} }, 7);
  await peer.answerError(await peer.next(), -32603);
  await expectSilence(peer);
  expect(ends).toEqual(['call-cancelled']);
});

describe('a handler that fails after its question was answered', () => {
  it('ends its hold as an error of the server', async () => {
    const server = new (sdkNamed('newest').McpServer)({ name: 'x', version: '1' });
    const ends: unknown[] = [];
    server.registerPrompt('ask', {}, (extra) => {
      if (inputContext(extra).round > 0) throw new Error('boom');
      return inputRequired({ inputRequests: { who: form() as never } });
    });
    withInputRequiredShim(server, { onEvent: (event) => event.type === 'hold-end' && ends.push(event.outcome) });
    const peer = await connectPeer(server, CAPABLE);
    await peer.request('prompts/get', { name: 'ask' });
    await peer.answer(await peer.next(), ADA);
    expect((await peer.next())['error']).toMatchObject({ message: 'boom' });
    expect(ends).toEqual(['server-error']);
  });
});

it('a call whose id another one has taken since leaves that one alone', async () => {
  const { peer } = await clockSession(CAPABLE);
  await play(peer, [ask({ who: form('first') })], 7);
  await peer.next();
  await peer.cancel(7);
  expect(await peer.next()).toMatchObject({ method: 'notifications/cancelled' });
  await play(peer, [ask({ who: form('second') })], 7);
  const leg = await peer.next();
  await settle();
  await peer.answer(leg, ADA);
  expect(told(await peer.next())['responses']).toEqual({ who: ADA });
});
