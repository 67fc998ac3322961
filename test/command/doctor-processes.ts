import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeArgs } from '../support/child.ts';
import { PACKAGE } from '../support/packed.ts';

const isBuild = process.env['TARGET'] === 'dist';
const BIN = isBuild ? [join(PACKAGE, 'dist/bin.js')] : nodeArgs(join(PACKAGE, 'src/bin.ts'));

/** The files of the servers that the doctor is sent to. */
export const SERVERS = {
  both: fileURLToPath(new URL('doctor-servers/both.ts', import.meta.url)),
  handshake: fileURLToPath(new URL('doctor-servers/handshake.mjs', import.meta.url)),
  odd: fileURLToPath(new URL('doctor-servers/odd.mjs', import.meta.url)),
  plain: fileURLToPath(new URL('doctor-servers/plain.mjs', import.meta.url)),
} as const;

/** The command in a process that can be sent signals while it runs; runCommand waits for its end. */
export function startDoctor(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...BIN, 'doctor', ...args], { stdio: 'ignore' });
}

/** One that has ended counts as gone, also before its parent has taken notice. */
export function isRunning(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
