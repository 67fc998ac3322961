/** The size of what is reachable. */
import { setTimeout } from 'node:timers/promises';

/** Bytes in use once everything that can be collected is. Needs `--expose-gc`. */
export async function heapUsed(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc');
  // Finalizers and weak references let go in later turns of the event loop, so once is not enough.
  for (let pass = 0; pass < 4; pass += 1) {
    globalThis.gc();
    await setTimeout(5);
  }
  return process.memoryUsage().heapUsed;
}
