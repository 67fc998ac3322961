/** What a call of a modern client costs behind the bridge, by the same server written for SDK v2. */
import assert from 'node:assert/strict';
import { type Contender, compare, inFlight } from '../support/compare.ts';
import type { Row } from '../support/figure.ts';
import { bareBridge, bridged, modernCall, native, type Written } from '../support/modern.ts';

const WIDTH = 8;

/** The bound is one of calls per second: 1.0 and 0.75 of SDK v2's. */
export const row: Row = async ({ isQuick }) => {
  const length = { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 40 };
  const measure = (name: string, bound: number, isShared: boolean, written: Written) => {
    const field = {
      bare: contender('official v2', native(written)),
      bareAgain: contender('official v2 again', native(written)),
      shim: contender('bridge', bridged(isShared, written)),
      others: [contender('a bare bridge', bareBridge(isShared, written))],
    };
    return compare({ name, bound }, field, length);
  };
  const shared = await measure('modern tools/call, bridge with a shared validator / v2', 1, true, 'inline');
  // Such a server is the quicker one on either side, so that what lies between weighs more.
  const { shim, others = [] } = await measure('the same with hoisted schemas', 1, true, 'hoisted');
  const hoisted = others.map(({ name, spread }) => ({ name: `${name}, schemas hoisted`, spread }));
  return [
    {
      ...shared,
      others: [...(shared.others ?? []), { name: 'bridge / official v2, schemas hoisted', spread: shim }, ...hoisted],
    },
    await measure('modern tools/call, bridge without / v2', 1 / 0.75, false, 'inline'),
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
