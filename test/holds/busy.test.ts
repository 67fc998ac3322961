import { createHolds, type HoldsOptions } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { ADA, ask, form, outcomeOf, stateOnly, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectSilence, play } from '../support/session.ts';
import { ASK, CAPABLE, expectEmpty, holdsOnClock, openHeld, openHeldOnClock, TRANSPORTS } from './open-held.ts';

const BUSY = { reason: 'busy', method: 'tools/call', target: 'script', round: 1, retryAfter: 5_000 };

describe.each(TRANSPORTS)('a call beyond the limit (%s)', (transport) => {
  it('ends at once as busy, says when to try again, and the one that is held goes on', async () => {
    const holds = createHolds({ max: 1 });
    expectEmpty(holds);
    const { peer, runs } = await openHeld(transport, holds);
    const first = await play(peer, ASK);
    const leg = await peer.next();
    const second = await play(peer, ASK);
    const refused = await peer.next();
    expect(refused).toEqual({
      jsonrpc: '2.0',
      id: second,
      result: {
        content: [
          {
            type: 'text',
            text: 'The tool script was not completed: too many calls are waiting for an answer (every place is taken: try again in 5 s).',
          },
        ],
        isError: true,
        _meta: { 'mcp-dual-era/outcome': BUSY },
      },
    });
    expect(runs).toHaveLength(2);
    await peer.answer(leg, ADA);
    const answer = await peer.next();
    expect([answer['id'], told(answer)['responses']]).toEqual([first, { who: ADA }]);
    const third = await play(peer, ASK);
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    await peer.cancel(third);
    await vi.waitFor(() => expect(holds.stats().held).toBe(0));
  });

  it.each([
    ['prompts/get', 'script'],
    ['resources/read', scriptParams('resources/read', ASK)['uri']],
  ])('ends as an error of JSON-RPC for %s', async (method, target) => {
    const holds = createHolds({ max: 1 });
    const { peer } = await openHeld(transport, holds);
    await play(peer, ASK);
    await peer.next();
    await peer.request(method, scriptParams(method, ASK));
    const { error } = await peer.next();
    expect(error).toMatchObject({ code: -32603, data: { ...BUSY, method, target } });
  });
});

describe('what needs no place', () => {
  it('is a call that asks nothing, and a round with a state only', async () => {
    const { holds } = holdsOnClock({ max: 1 });
    const { peer, clock } = await openHeldOnClock(holds);
    const held = await play(peer, ASK);
    await peer.next();
    await expectSilence(peer);
    await play(peer, [stateOnly({ page: 1 })]);
    await clock.advance(50);
    expect(told(await peer.next())['state']).toEqual({ page: 1 });
    expect(holds.stats()).toMatchObject({ held: 1, calls: 1, refused: 0 });
    await peer.cancel(held);
  });

  it('is a call of a server without holds', async () => {
    const { peer } = await clockSession(CAPABLE);
    const ids = [await play(peer, ASK), await play(peer, ASK)];
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
    for (const id of ids) await peer.cancel(id);
  });
});

describe('a place', () => {
  it('is kept through all rounds of a call, and while its handler runs', async () => {
    const { holds } = holdsOnClock({ max: 1 });
    expectEmpty(holds);
    const { peer } = await openHeldOnClock(holds);
    await play(peer, [ask({ who: form('1') }), ask({ who: form('2') })]);
    const first = await peer.next();
    await peer.answer(first, ADA);
    const second = await peer.next();
    expect(holds.stats()).toMatchObject({ held: 1, calls: 1 });
    await play(peer, ASK);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy' });
    await peer.answer(second, ADA);
    await peer.next();
  });

  it('belongs to the process: another server that shares the holds finds it taken', async () => {
    const { holds } = holdsOnClock({ max: 1 });
    const [one, other] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    const id = await play(one.peer, ASK);
    await one.peer.next();
    await play(other.peer, ASK);
    expect(outcomeOf(await other.peer.next())).toMatchObject({ reason: 'busy' });
    await one.peer.cancel(id);
    const again = await play(other.peer, ASK);
    expect(await other.peer.next()).toMatchObject({ method: 'elicitation/create' });
    await other.peer.cancel(again);
  });

  it('is asked for only by a round that can be asked: what is refused for another reason is not busy', async () => {
    const { holds } = holdsOnClock({ max: 1 });
    const { peer } = await clockSession({ capabilities: {} }, { options: { holds } });
    await play(peer, ASK);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'unsupported' });
    expect(holds.stats()).toMatchObject({ calls: 0, refused: 0 });
  });
});

describe('the time to try again', () => {
  it.each([
    ['as long as a place takes to get free', 40_000, 4, 10_000],
    ['a second at least', 1_000, 4, 1_000],
    ['a minute at most', 500_000, 4, 60_000],
  ])('is %s', async (_name, ms, max, retryAfter) => {
    const { holds } = holdsOnClock({ max });
    const { peer, clock } = await openHeldOnClock(holds);
    await play(peer, ASK);
    const leg = await peer.next();
    await clock.advance(ms);
    await peer.answer(leg, ADA);
    await peer.next();
    const ids = [];
    for (let call = 0; call < max; call += 1) {
      ids.push(await play(peer, ASK));
      await peer.next();
    }
    await play(peer, ASK);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy', retryAfter });
    for (const id of ids) await peer.cancel(id);
  });
});

describe('where calls wait, or the process ends, the time to try again', () => {
  /** What the call after `before` others is told, once one was held for 30 s. */
  async function refusedAfter(options: HoldsOptions, before: number, drain = false): Promise<Json> {
    const { holds } = holdsOnClock(options);
    const { peer, clock } = await openHeldOnClock(holds);
    await play(peer, ASK);
    const leg = await peer.next();
    await clock.advance(30_000);
    await peer.answer(leg, ADA);
    await peer.next();
    const ids: (string | number)[] = [];
    for (let call = 0; call < before; call += 1) ids.push(await play(peer, ASK));
    for (let held = before - (options.queue ?? 0); held > 0; held -= 1) await peer.next();
    await settle();
    const drained = drain ? holds.drain(60_000) : undefined;
    await play(peer, ASK);
    const refused = await peer.next();
    for (const id of ids.reverse()) await peer.cancel(id);
    await drained;
    return refused;
  }

  it('counts those that wait already, where all places are taken', async () => {
    const refused = await refusedAfter({ max: 3, queue: 2 }, 5);
    expect(outcomeOf(refused)).toMatchObject({ reason: 'busy', retryAfter: 30_000 });
  });

  it('goes by the limit that was met, which is told', async () => {
    const refused = await refusedAfter({ max: 1_000, maxPerConnection: 1 }, 1);
    expect(outcomeOf(refused)).toMatchObject({ reason: 'busy', retryAfter: 30_000 });
    expect(refused['result'].content[0].text).toContain('(this connection has as many as it may: try again in 30 s)');
  });

  it('does not count those that wait, where its own connection has too many', async () => {
    const refused = await refusedAfter({ max: 1_000, maxPerConnection: 2, queue: 3 }, 5);
    expect(outcomeOf(refused)).toMatchObject({ reason: 'busy', retryAfter: 15_000 });
  });

  it('is five seconds where the process ends: another one takes the call', async () => {
    const refused = await refusedAfter({ max: 1_000 }, 1, true);
    expect(outcomeOf(refused)).toMatchObject({ reason: 'busy', retryAfter: 5_000 });
  });
});

it('a subject that throws where it did not before denies the call, and does not count it elsewhere', async () => {
  let calls = 0;
  const subject = (): string => {
    calls += 1;
    if (calls === 2) throw new Error('no');
    return 'ada';
  };
  const holds = createHolds({ maxPerSubject: 1 });
  const { peer } = await openHeld('node', holds, { subject });
  const call = (id: number): Promise<number> =>
    peer.send(
      { jsonrpc: '2.0', id, method: 'tools/call', params: scriptParams('tools/call', ASK) },
      { 'x-test-caller': 'app/ada' },
    );
  await call(1);
  expect(await peer.next()).toMatchObject({ method: 'elicitation/create' });
  await call(2);
  expect((await peer.next())['error']).toMatchObject({ code: -32603 });
  expect(holds.stats()).toMatchObject({ held: 1, calls: 1 });
});

describe('limits of one connection and of one caller', () => {
  it('leave the others their places', async () => {
    const { holds } = holdsOnClock({ maxPerConnection: 1 });
    const [one, other] = [await openHeldOnClock(holds), await openHeldOnClock(holds)];
    const ids = [await play(one.peer, ASK)];
    await one.peer.next();
    await play(one.peer, ASK);
    expect(outcomeOf(await one.peer.next())).toMatchObject({ reason: 'busy' });
    const id = await play(other.peer, ASK);
    expect(await other.peer.next()).toMatchObject({ method: 'elicitation/create' });
    for (const held of ids) await one.peer.cancel(held);
    await other.peer.cancel(id);
  });

  it('tell callers by their subject, whatever client ids they use, and those without one by their connection', async () => {
    const holds = createHolds({ maxPerSubject: 1 });
    const opened = [await openHeld('node', holds), await openHeld('node', holds)];
    const callAs = async (index: number, caller: string | undefined): Promise<string> => {
      const peer = opened[index]?.peer;
      if (peer === undefined) throw new RangeError(`there is no session ${index}`);
      const id = `${index} ${caller} ${Math.random()}`;
      const params = scriptParams('tools/call', ASK);
      const headers: Record<string, string> = caller === undefined ? {} : { 'x-test-caller': caller };
      await peer.send({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers);
      const message: Json = await peer.next();
      return message['method'] ?? outcomeOf(message)['reason'];
    };
    expect(await callAs(0, 'app/ada')).toBe('elicitation/create');
    expect(await callAs(1, 'app/ada')).toBe('busy');
    expect(await callAs(1, 'app/eve')).toBe('elicitation/create');
    expect(await callAs(1, 'other/ada')).toBe('busy');
    // A client id names nobody: people share it.
    expect(await callAs(0, 'app')).toBe('elicitation/create');
    expect(await callAs(0, 'other')).toBe('busy');
    const third = await openHeld('node', holds);
    opened.push(third);
    expect(await callAs(2, 'app')).toBe('elicitation/create');
    expect(await callAs(2, undefined)).toBe('busy');
  });
});
