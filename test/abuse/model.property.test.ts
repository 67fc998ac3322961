import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPlay, type PlaySession } from '../support/open-play.ts';
import { type Ask, type Kind, play, type Question, type Reply, type Scenario } from './model.ts';
import { CallPlayer, playCalls, runHandler } from './model-player.ts';

const KINDS: readonly Kind[] = ['form', 'url', 'sampling', 'roots'];
const REPLIES: readonly Reply[] = ['good', 'good', 'invalid', 'empty', 'decline', 'cancel', 'malformed', 'error'];

const question: fc.Arbitrary<Question> = fc.record({
  key: fc.constantFrom('a', 'b', '__proto__'),
  kind: fc.constantFrom<Kind>('form', 'form', 'form', ...KINDS),
  variant: fc.constantFrom(0, 0, 0, 1),
  reply: fc.constantFrom(...REPLIES),
});
const questions = fc.uniqueArray(question, { maxLength: 3, selector: ({ key }) => key });
const state = fc.option(fc.integer(), { nil: undefined });
const wholeAsk: fc.Arbitrary<Ask> = fc
  .record({ broken: fc.constant(false as const), questions, state })
  .map((ask) => (ask.questions.length === 0 ? { ...ask, state: ask.state ?? 0 } : ask));
const brokenAsk: fc.Arbitrary<Ask> = fc.constant({ broken: true });
/** The last ask once more, with other answers: handlers do, and most rules are about it. */
const sameAsk = fc.oneof(
  fc.array(fc.constantFrom(...REPLIES), { minLength: 3, maxLength: 3 }),
  fc.constantFrom<Reply[]>(['malformed', 'malformed', 'malformed'], ['invalid', 'empty', 'malformed']),
);

const asks: fc.Arbitrary<Ask[]> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: wholeAsk },
      { weight: 30, arbitrary: sameAsk },
      { weight: 1, arbitrary: brokenAsk },
    ),
    { maxLength: 7, size: 'max' },
  )
  .map((drawn) => {
    const made: Ask[] = [];
    for (const ask of drawn) made.push(Array.isArray(ask) ? again(made.at(-1), ask) : ask);
    return made;
  });

function again(ask: Ask | undefined, replies: readonly Reply[]): Ask {
  if (ask === undefined || ask.broken) return { broken: false, questions: [], state: 1 };
  const asked = ask.questions.map((one, index) => ({ ...one, reply: replies[index] ?? 'good' }));
  return { ...ask, questions: asked };
}

const options = {
  legs: fc.constantFrom('sequential' as const, 'concurrent' as const),
  onFailedLeg: fc.constantFrom('end' as const, 'reenter' as const),
  onRepeatedAsk: fc.constantFrom('end' as const, 'allow' as const),
  maxRounds: fc.constantFrom(1, 2, 3, 8, 8, 8),
};
const call = {
  asks,
  order: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
  isNoisy: fc.boolean(),
};
const declared = fc.oneof(
  { weight: 9, arbitrary: fc.constant(KINDS) },
  { weight: 1, arbitrary: fc.subarray([...KINDS]) },
);

/** The capabilities that declare `kinds` and no others. */
function capabilitiesFor(kinds: readonly Kind[]): object {
  const elicitation = Object.fromEntries(
    kinds.filter((kind) => kind === 'form' || kind === 'url').map((kind) => [kind, {}]),
  );
  const others = kinds.filter((kind) => kind === 'sampling' || kind === 'roots').map((kind) => [kind, {}]);
  return { ...(Object.keys(elicitation).length > 0 ? { elicitation } : {}), ...Object.fromEntries(others) };
}

/** Opens a server whose calls play `scenarios`, by request id. */
function openScenarios(scenarios: ReadonlyMap<unknown, Scenario>, runs: Map<unknown, number>): Promise<PlaySession> {
  const [{ declared, legs, onFailedLeg, onRepeatedAsk, maxRounds }] = [...scenarios.values()] as [Scenario];
  return openPlay(
    (context, { requestId }) => {
      runs.set(requestId, (runs.get(requestId) ?? 0) + 1);
      const scenario = scenarios.get(requestId);
      return scenario === undefined ? 'free' : runHandler(scenario, context);
    },
    { capabilities: capabilitiesFor(declared), options: { legs, onFailedLeg, onRepeatedAsk, maxRounds } },
  );
}

/** Plays `scenarios` at once and compares each with the model; nothing of any of them may be left. */
async function check(scenarios: ReadonlyMap<unknown, Scenario>, pick: (count: number) => number): Promise<void> {
  const runs = new Map<unknown, number>();
  const session = await openScenarios(scenarios, runs);
  const { far, clock, peer } = session;
  const callbacks = [far.onmessage, far.onclose, far.onerror];
  const players = new Map([...scenarios].map(([id, scenario]) => [id, new CallPlayer(scenario)]));
  await playCalls(session, players, pick);
  for (const [id, player] of players) {
    expect(player.seen(runs.get(id) ?? 0)).toEqual(play(scenarios.get(id) as Scenario));
  }
  expect(clock.pending).toBe(0);
  expect([far.onmessage, far.onclose, far.onerror]).toEqual(callbacks);
  // The ids are free again, and the connection serves on.
  await peer.rest(0);
  const again = scenarios as Map<unknown, Scenario>;
  again.clear();
  for (const id of players.keys()) {
    await peer.request('tools/call', { name: 'play', arguments: {} }, id as string);
    expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'free' }] } });
  }
  await session.close();
  expect(clock.pending).toBe(0);
}

const scenario = fc.record({ ...call, ...options, declared });

describe('[H3b] [H11a] [H11b] [H11c] [H11e] [O1] [O3] [O4] any handler and any client', () => {
  it('come to what the model of the contract says, and leave nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (played) => {
        await check(new Map([[1, played]]), () => 0);
      }),
      { numRuns: 800 },
    );
  }, 60_000);

  it('come to the same where many calls are interleaved on one connection', async () => {
    const scenarios = fc.record({
      shared: fc.record({ ...options, declared: fc.constant(KINDS) }),
      calls: fc.array(fc.record(call), { minLength: 2, maxLength: 12 }),
      picks: fc.array(fc.nat(11), { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ shared, calls, picks }) => {
        let turn = 0;
        const pick = (count: number): number => {
          turn += 1;
          return (picks[turn % picks.length] ?? 0) % Math.max(1, count);
        };
        const ids = calls.map((_, index) => (index % 2 === 0 ? index : `call-${index}`));
        await check(new Map(calls.map((played, index) => [ids[index], { ...played, ...shared }])), pick);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
