/** Waits for code of the author's own, which may never answer: as long as for a round, and for no caller that is gone. */
import pTimeout from 'p-timeout';
import type { Session } from './session.ts';
import { timersOf } from './wait.ts';

/** @throws what `waiting` does, TimeoutError of p-timeout after `roundTimeout`, and the reason of `signal` once it aborts. */
export function withinRound<Result>(
  waiting: Promise<Result>,
  { options, ports }: Pick<Session, 'options' | 'ports'>,
  signal: AbortSignal,
): Promise<Result> {
  return pTimeout(waiting, {
    milliseconds: options.roundTimeout,
    customTimers: timersOf(ports.clock),
    signal,
  });
}
