/** An error that nobody hears of fails the test it comes up in: the runner looks at the outcome of tests alone. */
import { afterEach } from 'vitest';

const UNHEARD = Symbol.for('mcp-dual-era.test.unheard');
const shared = globalThis as unknown as Record<symbol, unknown[] | undefined>;

/** One list for all test files of a thread, so that the process has one listener. */
function unheardOf(): unknown[] {
  const known = shared[UNHEARD];
  if (known !== undefined) return known;
  const unheard: unknown[] = [];
  shared[UNHEARD] = unheard;
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, (reason) => unheard.push(reason));
  return unheard;
}

const unheard = unheardOf();

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const [reason] = unheard.splice(0);
  if (reason !== undefined) throw reason;
});
