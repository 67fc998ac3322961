import fc from 'fast-check';
import { form, type InputContext, inputRequired } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Sample, sampledForm } from '../core/form-arbitraries.ts';
import { ask } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

// A property takes hundreds of calls: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 120_000 });

/** A form, its right answer, and which field is to be made wrong in which way. */
const asked = sampledForm.chain((samples) =>
  fc.record({ samples: fc.constant(samples), field: fc.nat(samples.length - 1), way: fc.nat() }),
);

const contentOf = (samples: readonly (readonly [string, Sample])[]): Json =>
  Object.fromEntries(samples.map(([name, { right }]) => [name, right]));

describe('[A14] any form, asked over the wire', () => {
  it('has its right answer accepted, and a mutation of one field refused', async () => {
    let play: (context: InputContext) => unknown = () => 'nothing is asked';
    const session: PlaySession = await openPlay((context) => play(context));
    onTestFinished(session.close);
    const answerWith = async (content: Json): Promise<string> => {
      await session.run();
      await session.peer.answer(await session.peer.next(), { action: 'accept', content });
      return textOf(await session.peer.next());
    };
    await fc.assert(
      fc.asyncProperty(asked, async ({ samples, field, way }) => {
        const requestedSchema = form(Object.fromEntries(samples.map(([name, { field: one }]) => [name, one])));
        play = (context) => {
          if (context.round === 0) {
            return ask({ q: inputRequired.elicit({ message: 'Fill it in', requestedSchema }) });
          }
          return JSON.stringify(
            [context.accepted('q', requestedSchema), context.accepted('q')].map((read) => read ?? null),
          );
        };
        const right = contentOf(samples);
        expect(await answerWith(right)).toBe(JSON.stringify([right, right]));

        const [name, { wrong }] = samples[field] as [string, Sample];
        const mutation = Object.fromEntries(
          Object.entries(right).map(([one, value]) => [one, one === name ? wrong[way % wrong.length] : value]),
        );
        expect(await answerWith(mutation)).toBe('[null,null]');
      }),
      { numRuns: 60 },
    );
    await expectNothingLeft(session);
  });
});
