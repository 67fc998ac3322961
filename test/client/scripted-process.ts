import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioTarget } from 'mcp-dual-era/client';
import { expect, onTestFinished, vi } from 'vitest';

const SERVER = fileURLToPath(new URL('scripted-stdio.mjs', import.meta.url));

export interface ScriptedProcess {
  readonly target: StdioTarget;
  /** Of all processes that were started, in order. */
  pids(): number[];
  /** Waits until none of them is left. */
  expectGone(): Promise<void>;
}

/** The server of scripted-stdio.mjs, which does what `behaviour` says there. */
export function scriptedProcess(behaviour: string): ScriptedProcess {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  const file = join(directory, 'pids');
  const pids = (): number[] => {
    try {
      return readFileSync(file, 'utf8').trim().split('\n').map(Number);
    } catch {
      return [];
    }
  };
  onTestFinished(() => {
    for (const pid of pids().filter(isAlive)) process.kill(pid, 'SIGKILL');
    rmSync(directory, { recursive: true });
  });
  const expectGone = () =>
    vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), { timeout: 8_000, interval: 20 });
  return { target: { command: process.execPath, args: [SERVER, behaviour, file], stderr: 'ignore' }, pids, expectGone };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
