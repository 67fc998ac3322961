/** Bounding, watching and draining the held calls of a process, as a server's main file would have it. */
import { createServer } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createHolds, type Holds } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';

export function startBounded(createDeployServer: () => McpServer) {
  // #region holds
  const holds = createHolds({ max: 200, maxPerConnection: 5, queue: 50, queueTimeout: 20_000 });
  const handler = createMcpHandler(createDeployServer, { inputRequired: { holds } });
  // #endregion holds
  const http = createServer((request, response) => void handler.node(request, response));
  return { holds, handler, http };
}

export function warnWhenFull(holds: Holds, max: number, warn: (message: string) => void): void {
  // #region figures
  const { held, queued, refused, answerTimes } = holds.stats();
  const half = Math.round(answerTimes.p50 / 1_000);
  if (held > 0.8 * max)
    warn(`${held} of ${max} places are taken, ${queued} calls wait; half of all answers take ${half} s`);
  if (refused > 0) warn(`${refused} calls were refused so far`);
  // #endregion figures
}

export function drainOnTerm({ holds, handler, http }: ReturnType<typeof startBounded>): void {
  // #region drain
  process.once('SIGTERM', async () => {
    const { finished, ended } = await holds.drain(30_000);
    console.error(`${finished} held calls finished, ${ended} were ended`);
    await handler.close();
    // Last: over HTTP the answer to a question comes on a connection of its own.
    http.close();
  });
  // #endregion drain
}
