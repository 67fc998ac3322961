import { describe, expect, it, vi } from 'vitest';
import { ask, form, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import type { Opened } from '../support/open.ts';
import { seededRandom } from '../support/random.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

const CALLS = 200;
const ROUNDS = 3;
const FORMS = { capabilities: { elicitation: {} } };

/** Makes all calls at once, and answers an open question at random until none is left. */
async function playAll({ peer }: Pick<Opened, 'peer'>, seed: number): Promise<Map<unknown, Json>> {
  const random = seededRandom(seed);
  const names = new Map<unknown, string>();
  for (let call = 0; call < CALLS; call += 1) {
    const rounds = Array.from({ length: ROUNDS }, (_value, round) =>
      ask({ [`key${round}`]: form(`call ${call}, round ${round}`) }, { call, round }),
    );
    names.set(await play(peer, rounds), `call ${call}`);
  }
  const ends = new Map<unknown, Json>();
  const open: Json[] = [];
  while (ends.size < CALLS) {
    // All questions that can be open are: one of each call that has not ended.
    while (open.length + ends.size < CALLS) {
      const message = await peer.next();
      if ('method' in message) open.push(message);
      else ends.set(names.get(message['id']), message);
    }
    const [leg] = open.splice(Math.floor(random() * open.length), 1);
    if (leg === undefined) break;
    await peer.answer(leg, { action: 'accept', content: { name: `answer to ${leg['params'].message}` } });
  }
  return ends;
}

describe(`${CALLS} calls of ${ROUNDS} rounds at once on one connection, answered in random order`, () => {
  it.each([
    ['memory', 1],
    ['memory', 2],
    ['stdio', 3],
    ['http', 4],
  ] as const)(
    'each get their own answers and their own state (%s, seed %d)',
    async (transport, seed) => {
      const opened = transport === 'memory' ? await clockSession(FORMS) : await session(transport, FORMS);
      const ends = await playAll(opened, seed);
      for (let call = 0; call < CALLS; call += 1) {
        expect(told(ends.get(`call ${call}`) ?? {})).toMatchObject({
          round: 3,
          responses: { key2: { action: 'accept', content: { name: `answer to call ${call}, round 2` } } },
          state: { call, round: 2 },
        });
      }
      await expectSilence(opened.peer);
      await vi.waitFor(() => expect(opened.events.filter(({ type }) => type === 'hold-end')).toHaveLength(CALLS));
      expect(opened.runs.filter((run) => run === 'script')).toHaveLength(CALLS * (ROUNDS + 1));
      const ended = opened.events.filter(({ type }) => type === 'hold-end');
      expect(ended).toHaveLength(CALLS);
      expect(new Set(ended.map((event) => 'callId' in event && event.callId)).size).toBe(CALLS);
    },
    30_000,
  );
});
