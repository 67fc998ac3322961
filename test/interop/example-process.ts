import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';

/** What the examples read of their environment. */
export const ENVIRONMENT = { REQUEST_STATE_KEYS: '0123456789abcdef0123456789abcdef', DEPLOY_TOKEN: 'a-token' };

/** What starts the example `name` as a child process, spoken to on its stdin and stdout. */
export function exampleProcess(name: string): { command: string; args: string[]; env: Record<string, string> } {
  const file = fileURLToPath(import.meta.resolve(`mcp-dual-era-examples/${name}.ts`));
  const env = { ...process.env, ...ENVIRONMENT } as Record<string, string>;
  return { command: process.execPath, args: nodeArgs(file), env };
}

/** Starts the example `name`, which prints its URL. */
export async function startExample(name: string): Promise<{ child: ChildProcess; url: URL }> {
  const { command, args, env } = exampleProcess(name);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return { child, url: new URL(line) };
  throw new Error(`${name} ended before it had printed its URL`);
}
