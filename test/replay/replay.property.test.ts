import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { type Program, runProgram, type Step } from './programs.ts';
import { accepted } from './questions.ts';
import { type Body, eventsOf, firstCall, type Person, play, serveBody, URL_SERVED } from './replay-session.ts';

const what = fc.constantFrom('a', 'b', 'c');
const turns = fc.constantFrom(0, 0, 1, 3);
const ask: fc.Arbitrary<Step> = fc.record({ do: fc.constant('ask' as const), what });
const sample: fc.Arbitrary<Step> = fc.record({ do: fc.constant('sample' as const), what });
const effect: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('effect' as const),
  key: fc.constantFrom('k', 'l', '__proto__'),
  turns,
});
const waiting: fc.Arbitrary<Step> = fc.record({ do: fc.constant('wait' as const), turns });

const { program } = fc.letrec<{ step: Step; program: Step[]; short: Step[] }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
    { weight: 6, arbitrary: ask },
    { weight: 1, arbitrary: sample },
    { weight: 3, arbitrary: effect },
    { weight: 1, arbitrary: waiting },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('branch' as const), yes: tie('short'), no: tie('short') }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('loop' as const), times: fc.constantFrom(2, 3), body: tie('short') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('all' as const),
        parts: fc.array(tie('short'), { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('try' as const), body: tie('short') }) },
  ),
  short: fc.array(tie('step'), { minLength: 1, maxLength: 2 }),
  program: fc.array(tie('step'), { minLength: 1, maxLength: 4 }),
}));
/** What a person says, in turn, to the questions with one text. */
const replies = fc.array(fc.constantFrom('accept', 'accept', 'accept', 'decline', 'cancel'), {
  minLength: 1,
  maxLength: 5,
});

/** Answers the nth question with a text the same in both eras, whatever comes between. */
function personOf(said: readonly string[]): { readonly person: Person; readonly asked: string[] } {
  const asked: string[] = [];
  const person: Person = ({ method, params }) => {
    const text = method === 'elicitation/create' ? params.message : `sample ${params.messages[0].content.text}`;
    const nth = asked.filter((one) => one === text).length;
    asked.push(text);
    const reply = `${text}:${nth}`;
    if (method !== 'elicitation/create')
      return { role: 'assistant', model: 'm', content: { type: 'text', text: reply } };
    const action = said[(text.length + nth) % said.length];
    return action === 'accept' ? accepted(reply) : ({ action } as Json);
  };
  return { person, asked };
}

interface Outcome {
  readonly text: string;
  readonly asked: readonly string[];
  readonly effects: ReadonlyMap<string, number>;
}

describe.each(['reject', 'pending'] as const)(
  '[P4d] a handler that depends on nothing but its answers, with suspend: %s',
  (suspend) => {
    it('comes to the same in both eras, and has every effect of once happen once', async () => {
      let current: { readonly program: Program; readonly effects: Map<string, number> } | undefined;
      const body: Body = (act) => {
        if (current === undefined) throw new Error('No program');
        return runProgram(current.program, act, current.effects);
      };
      const served = serveBody(body, { options: { suspend } });
      const client = new StreamClient(new URL(URL_SERVED), served.fetch);
      const peer = new Peer({ send: (message) => client.send(message), close: () => client.close() }, client.inbox);
      await peer.handshake({ capabilities: ALL_CAPABILITIES });
      await client.get();

      const playModern = async (program: Program, said: readonly string[]): Promise<Outcome> => {
        const effects = new Map<string, number>();
        current = { program, effects };
        const { person, asked } = personOf(said);
        const { answer } = await play(served, person, { request: firstCall(), maxRounds: 500 });
        return { text: textOf(answer), asked: asked.sort(), effects };
      };
      const playHandshake = async (program: Program, said: readonly string[]): Promise<Outcome> => {
        const effects = new Map<string, number>();
        current = { program, effects };
        const { person, asked } = personOf(said);
        const id = await peer.callTool('act');
        for (;;) {
          const received = await peer.next();
          if ('method' in received) await peer.answer(received, person(received, ''));
          else if (received['id'] === id) return { text: textOf(received), asked: asked.sort(), effects };
        }
      };

      let runs = 0;
      await fc.assert(
        fc.asyncProperty(program, replies, async (made, said) => {
          runs += 1;
          const inNew = await playModern(made, said);
          const inOld = await playHandshake(made, said);
          expect(inNew).toStrictEqual(inOld);
          expect([...inNew.effects.values()].filter((count) => count !== 1)).toEqual([]);
        }),
        { numRuns: 150, interruptAfterTimeLimit: 15_000 },
      );
      expect(runs).toBeGreaterThan(20);
      expect(eventsOf(served, 'error')).toEqual([]);
      await client.close();
    });
  },
);
