/** Starts the processes of the pool, and makes sure that they end. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { generateRequestStateKey, type HoldStats } from 'mcp-dual-era';

export interface Workers {
  readonly pids: readonly number[];
  readonly ports: readonly number[];
  /** What each has measured. */
  stats(): Promise<readonly HoldStats[]>;
  stop(): Promise<void>;
}

/** @param onLost - hears of one that has ended and was not to. */
export async function startWorkers(count: number, onLost: (reason: string) => void): Promise<Workers> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.ts', import.meta.url)), args: [] });
  const env = { REQUEST_STATE_KEYS: generateRequestStateKey() };
  const workers = Array.from({ length: count }, () => cluster.fork(env));
  // The last resort. They would end without their primary, but not at once.
  process.once('exit', () => workers.forEach(kill));
  let isStopping = false;
  cluster.on('exit', (worker) => {
    if (!isStopping) onLost(reasonOf(worker));
  });
  const ports = await Promise.all(workers.map((worker) => nextMessage<number>(worker)));
  return {
    pids: workers.map((worker) => worker.process.pid ?? 0),
    ports,
    stats: () => Promise.all(workers.map(statsOf)),
    async stop() {
      isStopping = true;
      await Promise.all(workers.map(stop));
    },
  };
}

function statsOf(worker: Worker): Promise<HoldStats> {
  const stats = nextMessage<HoldStats>(worker);
  worker.send('stats');
  return stats;
}

async function stop(worker: Worker): Promise<void> {
  const exit = once(worker, 'exit');
  worker.send('stop');
  await exit;
}

async function nextMessage<Message>(worker: Worker): Promise<Message> {
  try {
    const [message] = (await once(worker, 'message')) as [Message];
    return message;
  } catch (cause) {
    // What was sent to it did not arrive, which may be known before it is known to have ended.
    throw new Error(reasonOf(worker), { cause });
  }
}

function reasonOf({ process: { pid } }: Worker): string {
  return `The process ${pid} has ended before its time`;
}

function kill({ process: child }: Worker): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
