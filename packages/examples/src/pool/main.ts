/**
 * A pool of processes, each of which holds one call: sized by the command, loaded by calls whose people take their time,
 * and what the command has predicted beside what was measured. Exits 0 if chance explains the difference; it ends by
 * itself, and its processes with it.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callOnce } from './caller.ts';
import { makeCalls } from './load.ts';
import { type PoolOptions, readOptions } from './options.ts';
import { report } from './report.ts';
import { createRouter } from './router.ts';
import { sizeByCommand } from './size-by-command.ts';
import { startWorkers } from './workers.ts';

const USAGE = 'Usage: pool [--seconds 20] [--calls-per-second 10] [--seed 1]';
// A fiftieth of what people take, or it would take all day.
const ANSWER_TIMES = { mean: 400, p95: 1_200 };
// So high that there is something to see in seconds. Rare events need long runs.
const REFUSED = 0.05;
const WARM_UP_SECONDS = 2;
/** Beside the calls themselves, on a busy machine. */
const GRACE_SECONDS = 60;

function fail(reason: string, exitCode = 1): never {
  console.error(reason);
  process.exit(exitCode);
}

function optionsOrUsage(): PoolOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`, 2);
  }
}

function urlOf(port: number): URL {
  return new URL(`http://127.0.0.1:${port}/mcp`);
}

async function run({ seconds, callsPerSecond, seed }: PoolOptions): Promise<boolean> {
  const load = { callsPerSecond, answerTimes: ANSWER_TIMES, warmUpSeconds: WARM_UP_SECONDS, seconds, seed };
  const size = await sizeByCommand({ ...load, refused: REFUSED });
  console.log(`mcp-dual-era size: ${size.slots} slots, for at most ${100 * REFUSED} % of the calls refused.`);
  const workers = await startWorkers(size.slots, (reason) => fail(reason));
  const router = createRouter(workers.ports);
  // Whoever kept a connection decides when it ends; the server closes none that may just be used again.
  router.keepAliveTimeout = 0;
  await once(router.listen(0, '127.0.0.1'), 'listening');
  console.log(`Processes: ${workers.pids.join(' ')}`);
  // The first call of a process is slow: its code is still being compiled.
  await Promise.all(workers.ports.map((port) => callOnce(urlOf(port), 0)));
  const before = await workers.stats();
  console.log(`Calling for ${WARM_UP_SECONDS + seconds} s ...\n`);
  const calls = await makeCalls(urlOf((router.address() as AddressInfo).port), load);
  const after = await workers.stats();
  router.close();
  router.closeAllConnections();
  await workers.stop();
  for (const call of calls) if (call.end === 'failed') fail(`A call has failed: ${call.why}`);
  if (!calls.some(({ end }) => end === 'answered')) fail('No call was answered');
  const { text, isAsPredicted } = report({ load, size, calls, before, after });
  console.log(text);
  return isAsPredicted;
}

const options = optionsOrUsage();
// On every way out, what `startWorkers` does on exit ends the processes that are left.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const deadline = setTimeout(() => fail('The run did not end in time'), (options.seconds + GRACE_SECONDS) * 1_000);
try {
  process.exitCode = (await run(options)) ? 0 : 1;
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
} finally {
  clearTimeout(deadline);
}
