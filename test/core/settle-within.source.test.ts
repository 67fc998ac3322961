import { expect, it } from 'vitest';
import { settleWithin } from '../../packages/shim/src/handshake/settle-within.ts';
import { ManualClock } from '../support/manual-clock.ts';

interface Run {
  readonly clock: ManualClock;
  readonly errors: Error[];
  readonly done: Promise<string>;
}

function run(promise: Promise<unknown>): Run {
  const clock = new ManualClock();
  const errors: Error[] = [];
  const done = settleWithin(promise, 100, { clock, onError: (error) => errors.push(error) }).then(() => 'settled');
  return { clock, errors, done };
}

it('settles with the promise, and leaves no timer', async () => {
  const { clock, errors, done } = run(Promise.resolve('a value'));
  expect(await done).toBe('settled');
  expect(errors).toEqual([]);
  expect(clock.pending).toBe(0);
});

it.each([
  ['an error', new Error('no'), 'no'],
  ['what is no error', 'a text', 'a text'],
])('tells of %s that the promise rejects with', async (_, reason, message) => {
  const { clock, errors, done } = run(Promise.reject(reason));
  expect(await done).toBe('settled');
  expect(errors.map((error) => error.message)).toEqual([message]);
  expect(clock.pending).toBe(0);
});

it('settles when the time is over, and still tells of a late error', async () => {
  let reject: (reason: Error) => void = () => undefined;
  const { clock, errors, done } = run(
    new Promise((_, rejectLate) => {
      reject = rejectLate;
    }),
  );
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  await clock.advance(99);
  expect(isDone).toBe(false);
  await clock.advance(1);
  expect(isDone).toBe(true);
  reject(new Error('late'));
  await clock.advance(0);
  expect(errors.map(({ message }) => message)).toEqual(['late']);
  expect(clock.pending).toBe(0);
});

it('takes no timer for what settles at once', async () => {
  const clock = new ManualClock();
  let taken = 0;
  const counting = {
    ...clock,
    setTimeout: (...timer: Parameters<ManualClock['setTimeout']>) => ++taken && clock.setTimeout(...timer),
  };
  await settleWithin(Promise.resolve(), 100, { clock: counting, onError: () => undefined });
  expect(taken).toBe(0);
  const slow = settleWithin(new Promise((resolve) => setImmediate(resolve)), 100, {
    clock: counting,
    onError: () => undefined,
  });
  await slow;
  expect(taken).toBe(1);
});
