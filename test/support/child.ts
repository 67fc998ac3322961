import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DualEraEvent } from 'mcp-dual-era';
import type { Json } from './json.ts';
import type { Opened, OpenSettings } from './open.ts';
import { type StdioPeer, stdioPeer } from './stdio-peer.ts';

const SERVER = fileURLToPath(new URL('script-server-stdio.ts', import.meta.url));

/** The node arguments that run a TypeScript file against the same target, source or build, as this suite. */
export function nodeArgs(file: string): string[] {
  const conditions = process.env['TARGET'] === 'dist' ? [] : ['--conditions=@dual-era/source'];
  return [...conditions, '--import', import.meta.resolve('tsx'), file];
}

export interface OpenedChild extends Opened, StdioPeer {
  readonly child: ChildProcess;
}

/** A script server in a process of its own, spoken to over its stdin and stdout. */
export async function spawnStdioPeer(settings: OpenSettings): Promise<OpenedChild> {
  const child = spawn(process.execPath, [...nodeArgs(SERVER), JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const events: DualEraEvent[] = [];
  const runs: string[] = [];
  // The child reports its events and runs as JSON lines on stderr; anything else there is a failure to be seen.
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('{')) return void process.stderr.write(`${line}\n`);
    const report = JSON.parse(line) as Json;
    if ('run' in report) runs.push(report['run']);
    else events.push(report['event']);
  });
  return { ...stdioPeer(child), events, runs, child };
}
