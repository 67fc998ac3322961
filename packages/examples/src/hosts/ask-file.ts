/** An ask in a file. It holds the arguments of a call and the state of a server: for the eyes of its owner alone. */
import { readFile, writeFile } from 'node:fs/promises';
import type { PendingAsk } from 'mcp-dual-era/client';

export async function storeAsk(file: string, ask: PendingAsk): Promise<void> {
  await writeFile(file, JSON.stringify(ask), { mode: 0o600 });
}

export async function loadAsk(file: string): Promise<PendingAsk> {
  return JSON.parse(await readFile(file, 'utf8')) as PendingAsk;
}
