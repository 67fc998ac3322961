import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ServeOptions, ServerFactory } from 'mcp-dual-era/serve';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { expectValid } from '../serve/modern-schema.ts';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { type StdioPeer, stdioPeer } from '../support/stdio-peer.ts';
import type { Body, Told } from './replay-session.ts';

/** How the process serves, as JSON. */
export interface ProcessSettings {
  readonly sdk?: SdkName;
  readonly options?: ServeOptions;
}

/** A server of SDK v1 with a tool for each of `bodies`. */
export function manyFactory(bodies: Readonly<Record<string, Body>>, sdk: SdkName = 'newest'): ServerFactory {
  const { McpServer } = sdkNamed(sdk);
  return () => {
    const server = new McpServer({ name: 'many', version: '1' }, { capabilities: { logging: {} } });
    for (const [name, body] of Object.entries(bodies)) {
      server.registerTool(name, { inputSchema: { n: z.number().optional() } }, async ({ n = 0 }, extra) => {
        const result = await body({ server: server.server, extra, n });
        return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
      });
    }
    return server;
  };
}

const SERVER = fileURLToPath(new URL('replay-server-stdio.ts', import.meta.url));

/** The command line that serves `BODIES` over stdio. */
export const processOf = (settings: ProcessSettings = {}) => ({
  command: process.execPath,
  args: [...nodeArgs(SERVER), JSON.stringify(settings)],
});

export interface ReplayProcess extends StdioPeer {
  /** The events so far. */
  readonly events: Json[];
  /** Everything else on its stderr. */
  readonly complaints: string[];
  tell(message: Json): Promise<Told>;
}

/** Waits for `read` to give `expected`: events come over stderr, which may be read after the answer on stdout. */
export async function eventsComeTo(read: () => readonly Json[], expected: readonly Json[]): Promise<void> {
  await vi.waitFor(() => expect(read()).toEqual(expected), { timeout: 20_000 });
}

/** Serves `BODIES` in a process of its own until the test is over, to a client that is as strict as one can be. */
export function spawnReplay(settings: ProcessSettings = {}): ReplayProcess {
  const served = openReplay(settings);
  onTestFinished(served.close);
  return served;
}

/** The same, until it is closed. */
export function openReplay(settings: ProcessSettings = {}): ReplayProcess {
  const { command, args } = processOf(settings);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const events: Json[] = [];
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{"event"')) events.push((JSON.parse(line) as Json)['event'] as Json);
    else complaints.push(line);
  });
  const { peer, exited } = stdioPeer(child);
  const tell = async (message: Json): Promise<Told> => {
    await peer.send(message);
    const notifications: Json[] = [];
    for (;;) {
      const received = await peer.next();
      expectValid(received, message['method']);
      if (received['method'] === undefined) return { notifications, answer: received };
      notifications.push(received);
    }
  };
  const close = async (): Promise<void> => {
    child.stdin.end();
    // A process that does not end by itself fails the tests that are about that; the others need not wait for it.
    const left = setTimeout(() => child.kill(), 5_000);
    await exited;
    clearTimeout(left);
  };
  return { peer, exited, close, events, complaints, tell };
}
