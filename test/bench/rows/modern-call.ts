/** What a call of a modern client costs behind the bridge, by the same server written for SDK v2. */
import assert from 'node:assert/strict';
import { type Contender, compare, inFlight } from '../support/compare.ts';
import type { Row } from '../support/figure.ts';
import { bridged, modernCall, native } from '../support/modern.ts';

const WIDTH = 8;

/** The bound is one of calls per second: 1.0 and 0.75 of SDK v2's. */
export const row: Row = async ({ isQuick }) => {
  const length = { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 40 };
  const field = (isShared: boolean) => ({
    bare: contender('official v2', native(false)),
    bareAgain: contender('official v2 again', native(false)),
    shim: contender('bridge', bridged(isShared)),
    others: [contender('official v2 without validators', native(true))],
  });
  return [
    await compare({ name: 'modern tools/call, bridge with a shared validator / v2', bound: 1 }, field(true), length),
    await compare({ name: 'modern tools/call, bridge without / v2', bound: 1 / 0.75 }, field(false), length),
  ];
};

function contender(name: string, fetch: (request: Request) => Promise<Response>): Contender {
  let id = 0;
  return inFlight(WIDTH, name, async () => {
    id += 1;
    const sent = id;
    const response = await fetch(modernCall(sent));
    const answer = (await response.json()) as { id: number; result?: { content: [{ text: string }] } };
    assert.equal(answer.id, sent);
    assert.equal(answer.result?.content[0].text, `hello ${sent}`);
  });
}
