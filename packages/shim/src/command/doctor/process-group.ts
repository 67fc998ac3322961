/** A process and what it has started. On POSIX they are one group, and are ended together; on Windows it is the process alone. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { StdioTarget } from './step.ts';
import { within } from './within.ts';

/** From being asked to end to being ended. */
const GRACE = 500;
const isWindows = process.platform === 'win32';

const running = new Set<ProcessGroup>();

/** Ends every process at once, for when this one ends itself. */
export function killAll(): void {
  for (const group of running) group.signal('SIGKILL');
}

/** Asks every process to end, and ends those that do not. Never rejects. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((group) => group.end()));
}

export class ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams;
  /** When the process has ended and all it wrote was read. */
  readonly ended: Promise<void>;
  #end: Promise<void> | undefined;

  constructor({ command, args }: StdioTarget) {
    this.child = spawn(command, args, { stdio: 'pipe', detached: !isWindows, windowsHide: true });
    this.ended = endOf(this.child);
    running.add(this);
  }

  signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.child;
    if (pid === undefined || !running.has(this)) return false;
    try {
      return isWindows ? this.child.kill(signal) : process.kill(-pid, signal);
    } catch {
      // There is nobody in it.
      return false;
    }
  }

  /** Asks all of it to end, and ends what has not after a while. Never rejects. */
  end(): Promise<void> {
    this.#end ??= this.#endAll();
    return this.#end;
  }

  async #endAll(): Promise<void> {
    let isThere = this.signal('SIGTERM');
    for (let waited = 0; isThere && waited < GRACE; waited += 20) {
      await delay(20);
      isThere = this.signal(0);
    }
    this.signal('SIGKILL');
    await within(this.ended, GRACE);
    // Its number may now be that of another.
    running.delete(this);
  }
}

/** Whoever holds its stdout still has a moment to let go of it. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.once('error', end);
    child.once('close', end);
    child.once('exit', () => {
      timer = setTimeout(end, 100);
    });
  });
}
