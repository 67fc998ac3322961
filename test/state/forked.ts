import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';

export interface Forked {
  /** Sends a message and gives the answer to it. One at a time. */
  ask(message: Json): Promise<Json>;
}

/** Runs a TypeScript file in a process of its own, spoken to over IPC, until the test is over. */
export function forked(file: URL, args: readonly string[] = []): Forked {
  const path = fileURLToPath(file);
  const flags = nodeArgs(path).slice(0, -1);
  const child: ChildProcess = fork(path, args, { execArgv: flags, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(() => {
    child.disconnect();
  });
  return {
    ask: async (message) => {
      child.send(message);
      const [answer] = (await once(child, 'message')) as [Json];
      return answer;
    },
  };
}
