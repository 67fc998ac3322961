/** Starts the example server as a process of its own, on either transport, and makes sure that it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { DemoEra } from './client.ts';

export interface ExampleServer {
  readonly transport: Transport;
  /** Ends the server in the way its transport has for it. Call it after the client has closed. */
  stop(): Promise<void>;
}

/** The process ids of the servers that were started and have not been seen to end. */
const running = new Set<number>();

// The last resort, for when the demo ends before its servers have.
process.once('exit', () => {
  for (const pid of running) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** The client starts this server when it connects, and ends it when it closes. */
export function stdioServer(era: DemoEra): ExampleServer {
  const Transport = era === 'modern' ? ModernStdio : StdioClientTransport;
  const transport = new Transport({ ...nodeCommand('../stdio-server.ts'), stderr: 'inherit' });
  let pid: number | undefined;
  const start = transport.start;
  transport.start = async () => {
    await start.call(transport);
    pid = transport.pid ?? undefined;
    if (pid !== undefined) running.add(pid);
  };
  return { transport: transport as Transport, stop: async () => requireGone(pid) };
}

export async function httpServer(era: DemoEra): Promise<ExampleServer> {
  const { command, args } = nodeCommand('../http-server.ts');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid !== undefined) running.add(child.pid);
  const url = await firstLine(child);
  const Transport = era === 'modern' ? ModernHttp : StreamableHTTPClientTransport;
  const transport = new Transport(new URL(url));
  return {
    transport: transport as Transport,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      requireGone(child.pid);
      // Windows has no signals: there the server is ended rather than asked to close.
      if (child.exitCode !== 0 && process.platform !== 'win32')
        throw new Error('The HTTP server did not close cleanly');
    },
  };
}

function nodeCommand(script: string): { command: string; args: string[] } {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return { command: process.execPath, args: ['--import', import.meta.resolve('tsx'), path] };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('The HTTP server ended before it had printed its URL');
}

function requireGone(pid: number | undefined): void {
  if (pid === undefined) return;
  if (isRunning(pid)) throw new Error('The server is still running although its client has closed');
  running.delete(pid);
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
