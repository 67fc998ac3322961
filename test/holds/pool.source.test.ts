import { describe, expect, it } from 'vitest';
import type { HoldPlace } from '../../packages/shim/src/core/hold-place.ts';
import { type HoldLimits, HoldPool } from '../../packages/shim/src/core/hold-pool.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/random.ts';

const NO_LIMITS: HoldLimits = {
  max: Number.POSITIVE_INFINITY,
  maxPerConnection: Number.POSITIVE_INFINITY,
  maxPerSubject: Number.POSITIVE_INFINITY,
  queue: 0,
  queueTimeout: 1_000,
};

function create(limits: Partial<HoldLimits>) {
  const clock = new ManualClock();
  const pool = new HoldPool({ ...NO_LIMITS, ...limits }, clock);
  const connections = new Map<string, object>();
  const enter = (connection: string, subject?: string): HoldPlace => {
    const known = connections.get(connection) ?? {};
    connections.set(connection, known);
    return pool.enter({ connection: known, subject });
  };
  return { clock, pool, enter };
}

const statesOf = (places: readonly HoldPlace[]) => places.map(({ state }) => state);

describe('a pool of places', () => {
  it('has as many as it is told, and refuses the next at once where nobody may wait', () => {
    const { pool, enter } = create({ max: 2 });
    expect(statesOf([enter('a'), enter('b'), enter('c')])).toEqual(['held', 'held', 'refused']);
    expect([pool.held, pool.queued, pool.refused]).toEqual([2, 0, 1]);
  });

  it('has as many for one connection, and the others have theirs', () => {
    const { enter } = create({ max: 3, maxPerConnection: 1 });
    expect(statesOf([enter('a'), enter('a'), enter('b')])).toEqual(['held', 'refused', 'held']);
  });

  it('has as many for one subject over all of its connections; who is nobody counts by its connection', () => {
    const { enter } = create({ maxPerSubject: 1 });
    expect(statesOf([enter('a', 'ada'), enter('b', 'ada'), enter('b', 'bob')])).toEqual(['held', 'refused', 'held']);
    expect(statesOf([enter('c'), enter('c'), enter('d')])).toEqual(['held', 'refused', 'held']);
  });

  it('gives a place back once, however often it is left', () => {
    const { pool, enter } = create({ max: 1 });
    const first = enter('a');
    first.leave();
    first.leave();
    expect(statesOf([first, enter('a'), enter('a')])).toEqual(['left', 'held', 'refused']);
    expect(pool.held).toBe(1);
  });

  it('remembers the most it held, and the most that waited', () => {
    const { pool, enter } = create({ max: 2, queue: 5 });
    const places = [enter('a'), enter('a'), enter('a'), enter('a')];
    for (const place of places) place.leave();
    expect([pool.mostHeld, pool.mostQueued, pool.held, pool.queued]).toEqual([2, 2, 0, 0]);
  });
});

describe('which limit a call meets', () => {
  it.each<[Partial<HoldLimits>, string]>([
    [{ max: 1 }, 'max'],
    [{ maxPerConnection: 1 }, 'maxPerConnection'],
    [{ maxPerSubject: 1 }, 'maxPerSubject'],
  ])('is told: %j', (limits, name) => {
    const { pool } = create(limits);
    const holder = { connection: {}, subject: 'ada' };
    expect(pool.limitFor(holder)).toBeUndefined();
    pool.enter(holder);
    expect(pool.limitFor(holder)).toBe(name);
  });
});

describe('what a pool remembers of a connection', () => {
  it.each(['held', 'queued'])('goes with the last call of it that was %s', async (state) => {
    const { pool } = create({ max: 1, queue: 2 });
    const other = pool.enter({ connection: {}, subject: undefined });
    if (state === 'held') other.leave();
    const watch = (leave: boolean): WeakRef<object> => {
      const connection = {};
      const places = [0, 1].map(() => pool.enter({ connection, subject: undefined }));
      expect(places[0]?.state).toBe(state);
      if (leave) for (const place of places) place.leave();
      return new WeakRef(connection);
    };
    const [dropped, kept] = [watch(true), watch(false)];
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect([dropped.deref(), kept.deref()]).toEqual([undefined, {}]);
  });
});

describe('the queue of a pool', () => {
  it('is served first come, first served', async () => {
    const { clock, enter } = create({ max: 1, queue: 2 });
    const [first, second, third] = [enter('a'), enter('a'), enter('a')];
    expect(statesOf([first, second, third, enter('a')])).toEqual(['held', 'queued', 'queued', 'refused']);
    const settled = second.settled();
    first.leave();
    await settled;
    expect(statesOf([second, third])).toEqual(['held', 'queued']);
    second.leave();
    expect(third.state).toBe('held');
    expect(clock.pending).toBe(0);
  });

  it('has the connections take turns, however many calls one of them has in it', () => {
    const { enter } = create({ max: 1, queue: 10 });
    const held = [enter('greedy')];
    const greedy = [enter('greedy'), enter('greedy'), enter('greedy')];
    const modest = [enter('modest'), enter('modest')];
    const order: string[] = [];
    const all = [
      ...greedy.map((place) => ['greedy', place] as const),
      ...modest.map((place) => ['modest', place] as const),
    ];
    let current: HoldPlace | undefined = held[0];
    while (current !== undefined) {
      current.leave();
      const next = all.find(([, { state }]) => state === 'held');
      if (next !== undefined) order.push(next[0]);
      current = next?.[1];
    }
    expect(order).toEqual(['greedy', 'modest', 'greedy', 'modest', 'greedy']);
  });

  it('passes over whoever waits for a limit of its own', () => {
    const { enter } = create({ max: 3, maxPerConnection: 1, queue: 5 });
    const [first, second, other] = [enter('a'), enter('a'), enter('b')];
    expect(statesOf([first, second, other])).toEqual(['held', 'queued', 'held']);
    other.leave();
    expect(second.state).toBe('queued');
    first.leave();
    expect(second.state).toBe('held');
  });

  it('serves a call of another subject before one of the same connection that waits for its limit', () => {
    const { enter } = create({ max: 2, maxPerSubject: 1, queue: 5 });
    const places = [enter('a', 'ada'), enter('b', 'bob'), enter('a', 'ada'), enter('a', 'cyd')];
    places[1]?.leave();
    expect(statesOf(places)).toEqual(['held', 'left', 'queued', 'held']);
  });

  it('when it is full, makes room for a connection that has fewer calls in it than another', () => {
    const { pool, enter } = create({ max: 1, queue: 3 });
    const greedy = [enter('greedy'), enter('greedy'), enter('greedy'), enter('greedy')];
    const modest = enter('modest');
    expect(statesOf([...greedy, modest])).toEqual(['held', 'queued', 'queued', 'refused', 'queued']);
    // Two against one: to change that would only turn it around.
    expect(enter('modest').state).toBe('refused');
    expect([pool.queued, pool.refused]).toEqual([3, 2]);
  });

  it('refuses whoever has waited too long, and counts time for each of them', async () => {
    const { clock, pool, enter } = create({ max: 1, queue: 2, queueTimeout: 1_000 });
    enter('a');
    const first = enter('a');
    await clock.advance(400);
    const second = enter('a');
    await clock.advance(600);
    expect(statesOf([first, second])).toEqual(['refused', 'queued']);
    await clock.advance(400);
    expect(statesOf([first, second])).toEqual(['refused', 'refused']);
    expect([pool.queued, pool.refused, clock.pending]).toEqual([0, 2, 0]);
  });

  it('lets a call go that does not wait any longer', async () => {
    const { clock, pool, enter } = create({ max: 1, queue: 2 });
    const held = enter('a');
    const [first, second] = [enter('a'), enter('b')];
    const settled = first.settled();
    first.leave();
    await settled;
    expect([first.state, pool.queued, pool.refused]).toEqual(['left', 1, 0]);
    held.leave();
    expect(second.state).toBe('held');
    expect(clock.pending).toBe(0);
  });
});

describe('a pool that is drained', () => {
  it('is empty once the last call has left, and says so once', () => {
    const { pool, enter } = create({});
    const places = [enter('a'), enter('b')];
    const left: number[] = [];
    pool.drain(() => left.push(pool.held));
    places[0]?.leave();
    expect(left).toEqual([]);
    places[1]?.leave();
    expect(left).toEqual([0]);
  });

  it('refuses who waits and who comes, and tells when the last one has left', () => {
    const { clock, pool, enter } = create({ max: 1, queue: 2 });
    const [held, queued] = [enter('a'), enter('a')];
    let isEmpty = false;
    pool.drain(() => {
      isEmpty = true;
    });
    expect(statesOf([held, queued, enter('b')])).toEqual(['held', 'refused', 'refused']);
    expect([isEmpty, pool.isDraining]).toEqual([false, true]);
    held.leave();
    expect([isEmpty, enter('a').state, clock.pending]).toEqual([true, 'refused', 0]);
  });

  it('tells at once where nobody holds a place', () => {
    const { pool } = create({});
    let told = 0;
    pool.drain(() => {
      told += 1;
    });
    expect(told).toBe(1);
  });

  it('cuts off those that wait for an answer, and marks the others', () => {
    const { pool, enter } = create({});
    const [waiting, running] = [enter('a'), enter('a')];
    waiting.onDrained = () => {
      waiting.leave();
      return true;
    };
    pool.cutOff();
    expect([waiting.state, waiting.wasEnded, running.state, running.wasEnded]).toEqual(['left', true, 'held', false]);
    expect([running.isDrained, pool.held]).toEqual([true, 1]);
  });
});

describe('a place', () => {
  it('counts as a call from its first question on', () => {
    const { pool, enter } = create({});
    const [first, second] = [enter('a'), enter('a')];
    first.begin();
    second.leave();
    expect(pool.calls).toBe(1);
  });

  it('is gone once it is given back and its answer is on its way', async () => {
    const { enter } = create({});
    const place = enter('a');
    let send: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    let isGone = false;
    const gone = place.gone().then(() => {
      isGone = true;
    });
    place.leave();
    place.noteAnswer(sent);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isGone).toBe(false);
    send();
    await gone;
  });
});

describe('whatever comes, in whatever order', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('keeps its limits, and is empty in the end (seed %d)', async (seed) => {
    const random = seededRandom(seed);
    const upTo = (max: number): number => Math.floor(random() * max);
    const limits = {
      max: 1 + upTo(8),
      maxPerConnection: 1 + upTo(5),
      maxPerSubject: 1 + upTo(5),
      queue: upTo(12),
      queueTimeout: 50,
    };
    const { clock, pool, enter } = create(limits);
    const open = new Set<HoldPlace>();
    for (let step = 0; step < 3_000; step += 1) {
      const choice = random();
      const places = [...open];
      if (choice < 0.6) open.add(enter(`connection ${upTo(4)}`, upTo(3) === 0 ? undefined : `subject ${upTo(3)}`));
      else if (choice < 0.95) places[upTo(places.length)]?.leave();
      else await clock.advance(upTo(40));
      for (const place of open) if (place.state === 'left' || place.state === 'refused') open.delete(place);
      const held = [...open].filter(({ state }) => state === 'held');
      const queued = [...open].filter(({ state }) => state === 'queued');
      expect([pool.held, pool.queued]).toEqual([held.length, queued.length]);
      expect(held.length).toBeLessThanOrEqual(limits.max);
      expect(queued.length).toBeLessThanOrEqual(limits.queue);
      const count = (by: (place: HoldPlace) => unknown): Map<unknown, number> => {
        const counts = new Map<unknown, number>();
        for (const place of held) counts.set(by(place), (counts.get(by(place)) ?? 0) + 1);
        return counts;
      };
      const ofConnection = count(({ holder }) => holder.connection);
      const ofSubject = count(({ holder }) => holder.subject ?? holder.connection);
      for (const most of ofConnection.values()) expect(most).toBeLessThanOrEqual(limits.maxPerConnection);
      for (const most of ofSubject.values()) expect(most).toBeLessThanOrEqual(limits.maxPerSubject);
      // Nobody waits who could be seated.
      for (const { holder } of queued) {
        const isFull = held.length >= limits.max;
        const isOver = (ofConnection.get(holder.connection) ?? 0) >= limits.maxPerConnection;
        const key = holder.subject ?? holder.connection;
        expect(isFull || isOver || (ofSubject.get(key) ?? 0) >= limits.maxPerSubject).toBe(true);
      }
    }
    for (const place of open) place.leave();
    for (const place of open) place.leave();
    expect([pool.held, pool.queued, clock.pending]).toEqual([0, 0, 0]);
  });
});
