import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';
import { type StdioPeer, stdioPeer } from '../support/stdio-peer.ts';
import { modernMessage } from './malformed-request.ts';

const SERVER = fileURLToPath(new URL('session-serve-stdio.ts', import.meta.url));

export interface StdioServer extends StdioPeer {
  /** What the process has told on stderr. */
  readonly told: string[];
  /** Resolves once it has told `what`. */
  until(what: string): Promise<void>;
  endInput(): void;
  /** Sends a modern request. */
  modern(method: string, params: Json, more?: { id?: string | number; capabilities?: Json }): Promise<number>;
}

/** A process that serves the session server on stdio; gone when the test is over. */
export function openStdio(options: Json = {}): StdioServer {
  const args = [...nodeArgs(SERVER), JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => told.push(line));
  const connected = stdioPeer(child);
  return {
    ...connected,
    told,
    until: (what) => vi.waitFor(() => expect(told).toContain(what), 20_000),
    endInput: () => void child.stdin.end(),
    modern: (method, params, { id = 1, capabilities = {} } = {}) => {
      const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
      return connected.peer.send(modernMessage(method, params, { message: { id }, meta }));
    },
  };
}
