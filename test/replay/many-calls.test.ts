import { describe, expect, it } from 'vitest';
import { callOf, retryOf, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { seededRandom } from '../support/random.ts';
import { askText, shouting } from './questions.ts';
import { spawnReplay } from './replay-process.ts';
import { answersTo, firstCall, isAsk, type Replayed, serveBody } from './replay-session.ts';

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const resultOf = (index: number): string => `${index}: ${index}A ${index}B`;

/** `list` in an order of no meaning. */
function shuffled<Item>(list: readonly Item[], random: () => number): Item[] {
  return list
    .map((item) => [random(), item] as const)
    .sort(([left], [right]) => left - right)
    .map(([, item]) => item);
}

describe('[P4b] many calls of two questions at once', () => {
  it.each(['newest'] as const)('get their own answers over HTTP, 200 of them (%s SDK v1)', async (sdk) => {
    const served: Replayed = serveBody(
      async (act) => `${act.n}: ${await askText(act, `${act.n}a`)} ${await askText(act, `${act.n}b`)}`,
      { sdk },
    );
    const random = seededRandom(6);
    const requests = indices(200).map((index) => firstCall(index));
    let answers = await Promise.all(requests.map(async (request) => (await served.tell(request)).answer));
    for (const _round of ['a', 'b']) {
      const order = shuffled(indices(200), random);
      const next = await Promise.all(
        order.map(async (index) => {
          const asked = answers[index] as Json;
          const retry = retryOf(requests[index] as Json, asked, answersTo(asked, shouting));
          return [index, (await served.tell(retry)).answer] as const;
        }),
      );
      answers = next.sort(([left], [right]) => left - right).map(([, answer]) => answer);
    }
    expect(answers.map(textOf)).toEqual(indices(200).map(resultOf));
    expect(served.events).toEqual([]);
    expect(served.handler.stats().modern.inFlight).toBe(0);
  });

  it.each(['newest'] as const)('get their own answers on one stdio pipe, 50 of them (%s SDK v1)', async (sdk) => {
    const { peer, events, complaints } = spawnReplay({ sdk });
    const random = seededRandom(6);
    const callers = new Map<unknown, { readonly index: number; readonly request: Json }>();
    const said = { capabilities: ALL_CAPABILITIES };
    const send = async (index: number, request: Json, message: Json): Promise<void> => {
      callers.set(message['id'], { index, request });
      await peer.send(message);
    };
    for (const index of indices(50)) {
      const request = callOf('two', { n: index }, said);
      await send(index, request, request);
    }
    const results: string[] = [];
    const waiting: Json[] = [];
    for (let open = 50; open > 0 || waiting.length > 0; ) {
      // Asks gather for a while, so that answers go out in another order than they came.
      if (open > 0 && (waiting.length < 10 || random() < 0.5)) {
        const received = await peer.next();
        open -= 1;
        if (isAsk(received)) waiting.push(received);
        else results[callers.get(received['id'])?.index ?? -1] = textOf(received);
        continue;
      }
      const [asked] = waiting.splice(Math.floor(random() * waiting.length), 1) as [Json];
      const { index, request } = callers.get(asked['id']) as { index: number; request: Json };
      await send(index, request, retryOf(request, asked, answersTo(asked, shouting)));
      open += 1;
    }
    expect(results).toEqual(indices(50).map(resultOf));
    expect([events, complaints]).toEqual([[], []]);
  });
});
