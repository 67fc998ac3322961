import pTimeout8 from 'p-timeout';
import pTimeout7 from 'p-timeout-7';
import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';

// What a round leans on, in both versions that the package may be installed with.
describe.each([
  ['7.0.2', pTimeout7],
  ['8.0.0', pTimeout8],
])('p-timeout %s', (_version, pTimeout) => {
  function start<Value>(clock: ManualClock, promise: Promise<Value>, message: Error): Promise<Value> {
    const customTimers = { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout } as never;
    return pTimeout(promise, { milliseconds: 100, message, customTimers });
  }

  it('rejects with the very error that is given as its message, when the time is over', async () => {
    const clock = new ManualClock();
    const message = new Error('late');
    const outcome = start(clock, new Promise(() => undefined), message).catch((error: unknown) => error);
    await clock.advance(99);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await outcome).toBe(message);
    expect(clock.pending).toBe(0);
  });

  it('clears the timer it was given when the promise settles first', async () => {
    const clock = new ManualClock();
    expect(await start(clock, Promise.resolve('done'), new Error('late'))).toBe('done');
    await settle();
    expect(clock.pending).toBe(0);
  });
});
