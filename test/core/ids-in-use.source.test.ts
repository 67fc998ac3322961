import { expect, it } from 'vitest';
import type { Call } from '../../packages/shim/src/handshake/call.ts';
import { Calls } from '../../packages/shim/src/handshake/calls.ts';
import { IdsInUse } from '../../packages/shim/src/handshake/ids-in-use.ts';

it('an id is in use by a call in flight', () => {
  const calls = new Calls();
  calls.add({ request: { id: 1 }, progress: undefined } as unknown as Call);
  const ids = new IdsInUse(calls);
  expect([1, 2, '1'].map((id) => ids.has(id))).toEqual([true, false, false]);
});

it('an id is in use from the request it came in until that is delivered, or through', () => {
  const ids = new IdsInUse(new Calls());
  const request = [1, 2];
  ids.reserve(request);
  ids.deliver(1);
  expect([1, 2].map((id) => ids.has(id))).toEqual([false, true]);
  // Another request has the id by now: that the first one is through does not free it.
  const next = [1];
  ids.reserve(next);
  ids.release(request);
  expect([1, 2].map((id) => ids.has(id))).toEqual([true, false]);
  ids.release(next);
  expect(ids.has(1)).toBe(false);
});
