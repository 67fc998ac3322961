import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { openPlay } from '../support/open-play.ts';
import { createPlayServer, PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const STREAM_EVENTS = ['end', 'close', 'data', 'error'];
const countAll = (): number[] => STREAM_EVENTS.map((event) => process.stdin.listenerCount(event));

describe('[H5b] a call that has asked leaves no listener', () => {
  it('on stdin, where the transport does not read it', async () => {
    const before = countAll();
    const session = await openPlay((context) => (context.round === 0 ? ask({ who: form() }) : 'done'));
    await session.run();
    await session.peer.answer(await session.peer.next(), ADA);
    expect(textOf(await session.peer.next())).toBe('done');
    expect(countAll()).toEqual(before);
    await session.close();
    expect(countAll()).toEqual(before);
  });

  it('on the response that its questions went out on, however many rounds there were', async () => {
    const responses: ServerResponse[] = [];
    const served = await serveFactory(
      () => createPlayServer((context) => (context.round < 6 ? ask({ who: form(`${context.round}?`) }) : 'done')),
      { onExchange: (_request, response) => responses.push(response) },
    );
    const { peer } = served.connect();
    await peer.handshake({ capabilities: { elicitation: {} } });
    const first = responses.length;
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    const counts: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const leg = await peer.next();
      counts.push(responses[first]?.listenerCount('close') ?? -1);
      await peer.answer(leg, ADA);
    }
    expect(textOf(await peer.next())).toBe('done');
    expect(counts).toEqual(Array(6).fill(counts[0]));
    await served.close();
  });
});
