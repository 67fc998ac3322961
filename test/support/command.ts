/** The command `mcp-dual-era` in a process of its own, from the source or the build, as TARGET says. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeArgs } from './child.ts';
import { PACKAGE } from './packed.ts';

const COMMAND =
  process.env['TARGET'] === 'dist' ? [join(PACKAGE, 'dist/bin.js')] : nodeArgs(join(PACKAGE, 'src/bin.ts'));

export interface CommandRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCommand(args: readonly string[], input?: string): CommandRun {
  const options = { encoding: 'utf8', ...(input === undefined ? {} : { input }) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMAND, ...args], options);
  return { status, stdout, stderr };
}
