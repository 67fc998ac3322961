/** The waits of a held call that no person is asked in. Each can be cut off, and then leaves nothing behind. */
import type { Clock } from '../core/options.ts';
import type { Asking, CutOff } from './call.ts';

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 250;

/** Waits before a run that has only a state: 50 ms, doubling to 250. Resolves with what cut it off, if anything did. */
export function pause(asking: Asking, clock: Clock): Promise<CutOff | undefined> {
  const ms = Math.min(FIRST_PAUSE * 2 ** asking.pauses, LONGEST_PAUSE);
  asking.pauses += 1;
  return cuttable(asking, (resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    return () => clock.clearTimeout(timer);
  });
}

/**
 * Waits one turn of the event loop. SDK v1 before 1.28 forgets the abort controller of a request by its id after it was
 * answered: a run delivered in the same turn could not be cancelled.
 */
export function nextTurn(asking: Asking, clock: Clock): Promise<CutOff | undefined> {
  return cuttable(asking, (resolve) => {
    const immediate = clock.setImmediate(resolve);
    return () => clock.clearImmediate(immediate);
  });
}

function cuttable(asking: Asking, start: (resolve: () => void) => () => void): Promise<CutOff | undefined> {
  return new Promise((resolve) => {
    const stop = start(() => {
      asking.cutOff = undefined;
      resolve(undefined);
    });
    asking.cutOff = (why) => {
      asking.cutOff = undefined;
      stop();
      resolve(why);
    };
  });
}
