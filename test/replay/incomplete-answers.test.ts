import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import type { Json } from '../support/json.ts';
import { accepted, askText } from './questions.ts';
import { eventsOf, type Person, play, serveBody } from './replay-session.ts';

/** Leaves the question `which` of the first round with `answer`, and answers all others with their message. */
function sloppy(which: string, answer: Json | undefined): Person {
  let isFirst = true;
  return ({ params }) => {
    if (params.message !== which || !isFirst) return accepted(String(params.message));
    isFirst = false;
    return answer;
  };
}

const SLOPPY: readonly (readonly [string, Json | undefined])[] = [
  ['no answer', undefined],
  ['an empty object', {}],
  ['an action that is none', { action: 'yes', content: { text: 'a' } }],
  ['roots', { roots: [] }],
  ['a response around its answer', { result: accepted('a') }],
  ['a text', 'accept' as never],
];

describe('[P1e] [F49] a client that answers a round of three questions', () => {
  for (const which of ['a', 'b', 'c']) {
    it.each(SLOPPY)(`is asked ${which} again alone, having given %s to it`, async (_name, answer) => {
      const served = serveBody(async (act) =>
        (await Promise.all([askText(act, 'a'), askText(act, 'b'), askText(act, 'c')])).join(' '),
      );
      const { texts, answer: final } = await play(served, sloppy(which, answer));
      expect(texts).toEqual([['a', 'b', 'c'], [which]]);
      expect(textOf(final)).toBe('a b c');
      // The handler asks in the order it asked before.
      expect(eventsOf(served, 'replay-drift')).toEqual([]);
    });
  }
});
