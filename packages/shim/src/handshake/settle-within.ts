/** Waits for code of the author's, but not for ever. */
import { asError } from '../core/errors.ts';
import type { Clock } from '../core/options.ts';

/** Of the microtask queue. A connection of SDK v1 closes within five. */
const PROMPT_TURNS = 8;

export interface WaitPorts {
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

/** Settles when `promise` does, or after `ms`. Never rejects: `onError` hears of it. */
export async function settleWithin(
  promise: Promise<unknown>,
  ms: number,
  { clock, onError }: WaitPorts,
): Promise<void> {
  let isSettled = false;
  const settled = promise.then(
    () => {
      isSettled = true;
    },
    (error: unknown) => {
      isSettled = true;
      onError(asError(error));
    },
  );
  // Most settle at once, and a timer costs more than all of these turns.
  for (let turn = 0; turn < PROMPT_TURNS && !isSettled; turn += 1) await undefined;
  if (isSettled) return;
  let timer: unknown;
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms);
  });
  await Promise.race([settled, late]);
  clock.clearTimeout(timer);
}
