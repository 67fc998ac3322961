import type { DualEraEvent, InputRequiredOptions } from 'mcp-dual-era';
import { expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, roots, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { settle } from '../support/manual-clock.ts';
import { createScriptServer } from '../support/script-server.ts';
import { clockSession, play } from '../support/session.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };

it('the time of a hold is that of all its rounds', async () => {
  const { peer, clock, events } = await clockSession(CAPABLE);
  await play(peer, [ask({ who: form() }), ask({ again: form('And now?') })]);
  for (let round = 0; round < 2; round += 1) {
    const leg = await peer.next();
    await clock.advance(1_000);
    await peer.answer(leg, ADA);
  }
  await peer.next();
  const times = (events as DualEraEvent[]).flatMap((event) => ('ms' in event ? [[event.type, event.ms]] : []));
  expect(times).toEqual([
    ['leg-end', 1_000],
    ['round-end', 1_000],
    ['leg-end', 1_000],
    ['round-end', 1_000],
    ['hold-end', 2_000],
  ]);
});

it('an error without a code ends a call without one in its words', async () => {
  const { peer } = await clockSession(CAPABLE);
  await play(peer, [ask({ who: form() })]);
  const leg = await peer.next();
  await peer.send({ jsonrpc: '2.0', id: leg['id'], error: { message: 'no' } });
  expect((await peer.next())['result'].content[0].text).toMatch(/\(the question is "who"\)\.$/);
});

/** A session whose hook cancels the call 1 as an event of type `at` comes. */
async function cancelling(at: DualEraEvent['type'], options: InputRequiredOptions = {}) {
  const runs: string[] = [];
  const events: DualEraEvent[] = [];
  let cancel = (): void => undefined;
  const server = createScriptServer(
    { options },
    {
      event: (event) => {
        events.push(event);
        if (event.type === at) cancel();
      },
      run: (run) => runs.push(run),
    },
  );
  const { peer, close } = await connectMemory(server);
  onTestFinished(close);
  await peer.handshake(CAPABLE);
  cancel = () => void peer.cancel(1);
  return { peer, runs, events };
}

it('a call that is cancelled by a hook, as its first question goes out, asks nothing more', async () => {
  const { peer, events } = await cancelling('leg-start', { legs: 'concurrent' });
  await play(peer, [ask({ who: form(), where: roots(), auth: url() })], 1);
  await settle();
  expect(events.flatMap((event) => (event.type === 'leg-start' ? [event.key] : []))).toEqual(['who']);
  expect((await peer.rest(0)).filter(({ id }) => id !== undefined)).toEqual([]);
});

it('a call that is cancelled by a hook, as its round ends, runs no handler again', async () => {
  const { peer, runs, events } = await cancelling('round-end');
  await play(peer, [ask({ who: form() })], 1);
  await peer.answer(await peer.next(), ADA);
  await settle();
  expect(runs).toEqual(['script']);
  const told = events.map((event) => ('outcome' in event ? `${event.type} ${event.outcome}` : event.type));
  expect(told).toEqual([
    'round-start',
    'leg-start',
    'leg-end accepted',
    'round-end answered',
    'hold-end call-cancelled',
  ]);
  expect(await peer.rest(0)).toEqual([]);
});
