import { expect, it } from 'vitest';
import type { Call } from '../../packages/shim/src/handshake/call.ts';
import { Calls } from '../../packages/shim/src/handshake/calls.ts';
import { CallProgress } from '../../packages/shim/src/handshake/progress.ts';

const call = (id: number, token?: string): Call =>
  ({ request: { id }, progress: token === undefined ? undefined : new CallProgress(token) }) as unknown as Call;
const progressOf = (progressToken: string, progress: number) =>
  ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } }) as const;

it('a call that ends takes neither its id nor its token from the one that has them by now', () => {
  const calls = new Calls();
  const [first, second] = [call(1, 't'), call(1, 't')];
  calls.add(first);
  calls.add(second);
  calls.delete(first);
  expect([calls.get(1), calls.has(1), calls.size]).toEqual([second, true, 1]);
  expect(calls.rise(progressOf('t', 1), undefined)).toEqual(progressOf('t', 1));
  // Known by its token still: what does not rise above the last one is raised.
  expect(calls.rise(progressOf('t', 1), undefined)['params']?.['progress']).toBeGreaterThan(1);
  calls.delete(second);
  expect([calls.has(1), calls.size]).toEqual([false, 0]);
  expect(calls.rise(progressOf('t', 1), undefined)).toEqual(progressOf('t', 1));
});

it('a progress is that of the call it is sent in, where another one has the same token', () => {
  const calls = new Calls();
  calls.add(call(1, 't'));
  calls.add(call(2, 't'));
  calls.rise(progressOf('t', 5), 2);
  expect(calls.rise(progressOf('t', 1), 1)).toEqual(progressOf('t', 1));
});
