import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DualEraEvent } from 'mcp-dual-era';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import type { Opened, OpenSettings } from './open.ts';
import { Peer } from './peer.ts';

const SERVER = fileURLToPath(new URL('script-server-stdio.ts', import.meta.url));

/** The node arguments that run a TypeScript file against the same target, source or build, as this suite. */
export function nodeArgs(file: string): string[] {
  const conditions = process.env['TARGET'] === 'dist' ? [] : ['--conditions=@dual-era/source'];
  return [...conditions, '--import', import.meta.resolve('tsx'), file];
}

export interface OpenedChild extends Opened {
  readonly child: ChildProcess;
  /** Resolves with the exit code once the process is gone. */
  readonly exited: Promise<number | null>;
}

/** A script server in a process of its own, spoken to over its stdin and stdout. */
export async function spawnStdioPeer(settings: OpenSettings): Promise<OpenedChild> {
  const child = spawn(process.execPath, [...nodeArgs(SERVER), JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const inbox = new Inbox();
  const events: DualEraEvent[] = [];
  const runs: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => inbox.push(JSON.parse(line) as Json));
  // The child reports its events and runs as JSON lines on stderr; anything else there is a failure to be seen.
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('{')) return void process.stderr.write(`${line}\n`);
    const report = JSON.parse(line) as Json;
    if ('run' in report) runs.push(report['run']);
    else events.push(report['event']);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const send = (message: unknown): Promise<number> =>
    new Promise((resolve) => child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve(0)));
  const close = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { peer: new Peer({ send, close }, inbox), events, runs, close, child, exited };
}
