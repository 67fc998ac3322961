import { type ChildProcess, spawn } from 'node:child_process';
import { nodeArgs } from './child.ts';
import { type StdioPeer, stdioPeer } from './stdio-peer.ts';

export interface SpawnedServer extends StdioPeer {
  readonly child: ChildProcess;
}

/** Runs a server file in a process of its own and speaks to it over stdin and stdout. Its stderr is shown. */
export function spawnServer(file: string, args: readonly string[] = [], flags: readonly string[] = []): SpawnedServer {
  const child = spawn(process.execPath, [...flags, ...nodeArgs(file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { ...stdioPeer(child), child };
}
