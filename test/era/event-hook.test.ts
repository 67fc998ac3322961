import type { EventHook } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form, outcomeOf } from '../support/asks.ts';
import { connectPeer } from '../support/own-server.ts';
import { createScriptServer } from '../support/script-server.ts';
import { play } from '../support/session.ts';

const BROKEN: [string, () => EventHook][] = [
  [
    'throws',
    () => () => {
      throw new Error('a broken hook');
    },
  ],
  ['rejects', () => () => Promise.reject(new Error('a broken hook')) as never],
  ['never settles', () => () => new Promise(() => undefined) as never],
];

describe('an onEvent hook that is broken (F43)', () => {
  it.each(BROKEN)('changes nothing when it %s', async (_name, hook) => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));

    let calls = 0;
    const broken = hook();
    const runs: string[] = [];
    const event: EventHook = (told) => {
      calls += 1;
      return broken(told);
    };
    const server = createScriptServer({}, { event, run: (run) => runs.push(run) });
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
    await play(peer, [ask({ who: form() }), ask({ again: form('And now?') }), ask({ again: form('And now?') })]);
    await peer.answer(await peer.next(), ADA);
    await peer.answer(await peer.next(), { action: 'decline' });
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'declined', round: 3, key: 'again' });
    expect(await peer.rest(0)).toEqual([]);
    expect(runs).toHaveLength(3);
    expect(calls).toBe(9);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});
