import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { nodeArgs } from './child.ts';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { Peer } from './peer.ts';

export interface SpawnedServer {
  readonly peer: Peer;
  readonly child: ChildProcess;
  /** Resolves with the exit code once the process is gone. */
  readonly exited: Promise<number | null>;
  /** Ends its stdin and waits for its end. */
  close(): Promise<void>;
}

/** Runs a server file in a process of its own and speaks to it over stdin and stdout. Its stderr is shown. */
export function spawnServer(file: string, args: readonly string[] = [], flags: readonly string[] = []): SpawnedServer {
  const child = spawn(process.execPath, [...flags, ...nodeArgs(file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const inbox = new Inbox();
  createInterface({ input: child.stdout }).on('line', (line) => inbox.push(JSON.parse(line) as Json));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const send = (message: unknown): Promise<number> =>
    new Promise((resolve) => child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve(0)));
  const close = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { peer: new Peer({ send, close }, inbox), child, exited, close };
}
