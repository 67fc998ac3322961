import type { DualEraEvent } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { createPlayServer, PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { type ServedFactory, serveFactory } from '../support/serve-factory.ts';

const asking = { capabilities: { elicitation: {} } };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PLAY_PARAMS['tools/call'] };
const ada = { 'x-test-caller': 'app/ada' };

describe('[F42] a subject option', () => {
  let served: ServedFactory;
  let events: DualEraEvent[];
  afterEach(() => served.close());

  const open = async (subject: (auth: Json) => unknown) => {
    events = [];
    const options = { subject: subject as never, onEvent: (event: DualEraEvent) => void events.push(event) };
    served = await serveFactory(() =>
      createPlayServer((context) => (context.round === 0 ? ask({ who: form() }) : 'done'), { options }),
    );
    const { peer } = served.connect();
    await peer.handshake(asking);
    return peer;
  };

  it.each([
    [
      'throws',
      () => {
        throw new Error('no directory');
      },
    ],
    ['returns a promise', async () => 'ada'],
    ['returns null', () => null],
    ['returns a number', () => 7],
  ])('that %s denies the call: nobody is asked, and the caller is never taken for anonymous', async (_, subject) => {
    const peer = await open(subject);
    await peer.send(call, ada);
    const answer = await peer.next();
    expect(answer).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(answer['error'].message).not.toContain('no directory');
    expect(events.map(({ type }) => type)).toEqual(['error']);
  });

  it('that begins to throw while a question is out makes its answer a stranger’s', async () => {
    let isThrowing = false;
    const peer = await open(() => {
      if (isThrowing) throw new Error('no directory');
      return 'ada';
    });
    await peer.send(call, ada);
    const leg = await peer.next();
    isThrowing = true;
    await peer.answer(leg, ADA, ada);
    expect(events.at(-1)).toEqual({ type: 'foreign-answer' });
    isThrowing = false;
    await peer.answer(leg, ADA, ada);
    expect(textOf(await peer.next())).toBe('done');
  });
});
