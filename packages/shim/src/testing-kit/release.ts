/** Ends a run: waits for what is closing, and leaves nothing on its clock. */
import { type ScriptClock, settle } from './script-clock.ts';
import { within } from './within.ts';

/** Longer than a server may take to close, in milliseconds of the hand-driven clock. */
const LONGEST_CLOSE = 60_000;

/** Never rejects. A close of the author's own that takes longer than `timeout` real milliseconds is left to itself. */
export async function release(clock: ScriptClock, closing: Promise<void>, timeout: number): Promise<void> {
  await within(closing, timeout, 'The server did not close').catch(() => undefined);
  await settle();
  // Closing waits on the clock, which nobody else moves.
  if (clock.pending > 0) await clock.advance(LONGEST_CLOSE);
}
