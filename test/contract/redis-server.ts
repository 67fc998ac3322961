import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = 'redis-server';

/** Whether there is a `redis-server` on the PATH. */
export const HAS_REDIS: boolean = spawnSync(SERVER, ['--version']).status === 0;

export interface RedisServer {
  /** The path of its socket. */
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts a real Redis in a folder of its own. It listens on a socket there and on no port, so that none can be taken. */
export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'redis-'));
  const path = join(directory, 'redis.sock');
  const args = ['--port', '0', '--unixsocket', path, '--dir', directory, '--save', '', '--appendonly', 'no'];
  const child = spawn(SERVER, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await ready(child);
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
    rmSync(directory, { recursive: true, force: true });
  };
  return { path, stop };
}

async function ready(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<void> {
  const said: string[] = [];
  // To its end, so that it never waits for somebody to read.
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (/ready to accept connections/i.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error(`redis-server ended:\n${said.join('\n')}`)));
    child.once('error', reject);
  });
}
