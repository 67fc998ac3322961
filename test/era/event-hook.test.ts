import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { DualEraEvent, EventHook } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form, outcomeOf } from '../support/asks.ts';
import type { Connectable } from '../support/connect-memory.ts';
import { Inbox } from '../support/inbox.ts';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { connectPeer } from '../support/own-server.ts';
import { Peer } from '../support/peer.ts';
import { createPlayServer, PLAY_PARAMS, type Play } from '../support/play-server.ts';
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

/** SDK v1's stdio transport, whose close is done when it returns, on streams of this process. */
async function connectStdio(server: Connectable) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const inbox = new Inbox();
  output.on('data', (line: Buffer) => inbox.push(JSON.parse(String(line)) as Json));
  await server.connect(new StdioServerTransport(input, output));
  onTestFinished(() => server.close());
  const send = async (message: unknown): Promise<number> => {
    input.write(`${JSON.stringify(message)}\n`);
    return 0;
  };
  return { peer: new Peer({ send, close: async () => undefined }, inbox), output };
}

const CLOSED = ['round-end closed', 'hold-end closed'];

describe('[H5b] an onEvent hook that closes the server', () => {
  it.each([
    ['round-start', 0, ['round-start', ...CLOSED]],
    ['leg-start', 0, ['round-start', 'leg-start', 'leg-end closed', ...CLOSED]],
    ['leg-end', 1, ['round-start', 'leg-start', 'leg-end accepted', ...CLOSED]],
    ['round-end', 1, ['round-start', 'leg-start', 'leg-end accepted', 'round-end answered', 'hold-end closed']],
  ])('at %s has the hold released at once, and nothing else sent or run', async (type, questions, expected) => {
    const told: string[] = [];
    const onEvent = (event: DualEraEvent): void => {
      told.push('outcome' in event ? `${event.type} ${event.outcome}` : event.type);
      if (event.type === type) void server.close();
    };
    let runs = 0;
    let asked = 0;
    const clock = new ManualClock();
    const play: Play = (context) => {
      runs += 1;
      return context.round === 0 ? ask({ who: form() }) : 'done';
    };
    const server = createPlayServer(play, { options: { ports: { clock }, onEvent } });
    const { peer, output } = await connectStdio(server);
    output.on('data', (line: Buffer) => {
      const message = JSON.parse(String(line)) as Json;
      if (message['method'] !== 'elicitation/create') return;
      asked += 1;
      void peer.answer(message, ADA);
    });
    await peer.handshake({ capabilities: { elicitation: {} } });
    await settle();
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] ?? {});
    await settle();
    expect(told).toEqual(expected);
    expect(clock.pending).toBe(0);
    expect(asked).toBe(questions);
    expect(runs).toBe(1);
  });
});
