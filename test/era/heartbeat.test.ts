import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, roots, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { openPlay, type PlaySession } from '../support/open-play.ts';
import type { Peer } from '../support/peer.ts';
import { PLAY_PARAMS } from '../support/play-server.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';
import { clockSession, session } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };

function call(peer: Peer, script: readonly unknown[], progressToken?: string | number): Promise<string | number> {
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return peer.request('tools/call', { ...scriptParams('tools/call', script), ...meta });
}

async function received(peer: Peer): Promise<Json[]> {
  await settle();
  return peer.rest(0);
}

const beat = (progress: number): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 't', progress, message: 'Waiting for an answer' },
});

describe('[H9b] the heartbeat of a held call', () => {
  it('comes with the first leg, then every 15 s, and stops with the answer', async () => {
    const { peer, clock } = await clockSession(CAPABLE);
    await call(peer, [ask({ who: form() })], 't');
    const first = await received(peer);
    expect(first.map(({ method }) => method).sort()).toEqual(['elicitation/create', 'notifications/progress']);
    expect(first).toContainEqual(beat(0));
    await clock.advance(14_999);
    expect(await received(peer)).toEqual([]);
    await clock.advance(1);
    expect(await received(peer)).toEqual([beat(1e-6)]);
    await clock.advance(15_000);
    expect(await received(peer)).toEqual([beat(2e-6)]);
    const leg = first.find(({ method }) => method === 'elicitation/create') ?? {};
    await peer.answer(leg, ADA);
    expect(told(await peer.next())['round']).toBe(1);
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
  });

  it('goes on through the second leg of a round, and rises through all rounds', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { heartbeat: 1_000 } });
    await call(peer, [ask({ who: form(), again: form('And now?') }), ask({ last: form('Last?') })], 't');
    const seen: number[] = [];
    for (let question = 0; question < 3; question += 1) {
      await clock.advance(1_000);
      for (const message of await received(peer)) {
        if (message['method'] === 'notifications/progress') seen.push(message['params'].progress);
        else await peer.answer(message, ADA);
      }
    }
    const end = await peer.next();
    expect(told(end)['round']).toBe(2);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(seen.every((value, index) => index === 0 || value > (seen[index - 1] ?? 0))).toBe(true);
  });

  it('is not sent to a caller that gave no progress token', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { heartbeat: 1_000 } });
    await call(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
    await peer.answer(leg, ADA);
    await peer.next();
  });

  it('is not sent with heartbeat: false', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { heartbeat: false } });
    await call(peer, [ask({ who: form() })], 't');
    const leg = await peer.next();
    expect(leg['method']).toBe('elicitation/create');
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
    await peer.answer(leg, ADA);
    await peer.next();
  });

  it('stops when the call is cancelled', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { heartbeat: 1_000 } });
    const id = await call(peer, [ask({ who: form() })], 't');
    await received(peer);
    await peer.cancel(id);
    await received(peer);
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
  });

  it('stops when the round is out of time', async () => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { heartbeat: 1_000, roundTimeout: 2_500 } });
    await call(peer, [ask({ who: form() })], 't');
    await clock.advance(2_500);
    const messages = await received(peer);
    expect(outcomeOf(messages.at(-1) ?? {})).toMatchObject({ reason: 'timeout' });
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
  });

  it('is not sent for a round that is refused', async () => {
    const { peer, clock } = await clockSession({ capabilities: {} }, { options: { heartbeat: 1_000 } });
    await call(peer, [ask({ where: roots() })], 't');
    expect(outcomeOf(await peer.next())['reason']).toBe('unsupported');
    await clock.advance(60_000);
    expect(await received(peer)).toEqual([]);
  });

  it.each(['http', 'stdio'] as const)('travels with the call (%s)', async (transport) => {
    const { peer } = await session(transport, CAPABLE, { options: { heartbeat: 50 } });
    await call(peer, [ask({ who: form() })], 't');
    const messages = [await peer.next(), await peer.next(), await peer.next()];
    const leg = messages.find(({ method }) => method === 'elicitation/create') ?? {};
    expect(messages.filter(({ method }) => method === 'notifications/progress')).toEqual([beat(0), beat(1e-6)]);
    await peer.answer(leg, ADA);
    for (;;) {
      const message = await peer.next();
      if (message['method'] === 'notifications/progress') continue;
      expect(told(message)['round']).toBe(1);
      break;
    }
  });
});

const ENDS: [string, string, (session: PlaySession) => unknown][] = [
  ['cancels the call', 'call-cancelled', ({ peer }) => peer.cancel(7)],
  ['closes the connection', 'closed', ({ far }) => far.onclose?.()],
];

describe('[H5b] [H9b] the first heartbeat of a held call', () => {
  it.each(ENDS)('is the last one to a client that %s from within it', async (_name, outcome, end) => {
    const opened = await openPlay(() => ask({ who: form() }));
    const { near, peer, clock, events } = opened;
    const beats: Json[] = [];
    const listen = near.onmessage;
    near.onmessage = (message, extra) => {
      if (!('method' in message) || message.method !== 'notifications/progress') return listen?.(message, extra);
      beats.push(message as Json);
      if (beats.length === 1) void end(opened);
    };
    await peer.request('tools/call', { ...PLAY_PARAMS['tools/call'], _meta: { progressToken: 't' } }, 7);
    await settle();
    expect(clock.pending).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: 'hold-end', outcome });
    await clock.advance(60_000);
    expect(beats).toEqual([beat(0)]);
    expect(await peer.rest(0)).toEqual([]);
    await opened.close();
  });
});

/** A real client whose person answers after `ms`, and that gives up a call after 300 ms without progress. */
async function callWithLimit(heartbeat: number | false, ms: number): Promise<unknown> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createScriptServer({ options: { heartbeat } }, { event: () => undefined, run: () => undefined });
  const client = new Client({ name: 'real', version: '1' }, { capabilities: { elicitation: {} } });
  const timers: NodeJS.Timeout[] = [];
  client.setRequestHandler(ElicitRequestSchema, () => {
    return new Promise((resolve) => {
      timers.push(setTimeout(() => resolve({ action: 'accept', content: { name: 'Ada' } }), ms));
    });
  });
  onTestFinished(async () => {
    for (const timer of timers) clearTimeout(timer);
    await client.close();
  });
  await server.connect(far);
  await client.connect(near);
  const params = scriptParams('tools/call', [ask({ who: form() })]) as { name: string };
  return client.callTool(params, undefined, {
    timeout: 300,
    resetTimeoutOnProgress: true,
    onprogress: () => undefined,
  });
}

describe('a real SDK v1 client with a limit of 300 ms, answering after 900 ms', () => {
  it('gets its result with heartbeat: 100', async () => {
    const result = (await callWithLimit(100, 900)) as Json;
    expect(JSON.parse(result['content'][0].text).responses).toEqual({ who: ADA });
  });

  it('gives up without a heartbeat', async () => {
    await expect(callWithLimit(false, 900)).rejects.toThrow('Request timed out');
  });
});
