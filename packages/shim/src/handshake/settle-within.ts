/** Waits for code of the author's, but not for ever. */
import type { Clock } from '../core/options.ts';

/** Settles when `promise` does, or after `ms`. Never rejects: `onError` hears of it. */
export async function settleWithin(
  promise: Promise<unknown>,
  ms: number,
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: Error) => void },
): Promise<void> {
  let timer: unknown;
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms);
  });
  const settled = promise.then(
    () => undefined,
    (error: unknown) => onError(error instanceof Error ? error : new Error(String(error))),
  );
  await Promise.race([settled, late]);
  clock.clearTimeout(timer);
}
