/** What the servers of this folder share: they print their URL, and end on SIGTERM. */
// #region run
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Prints the URL of `http`, which is about to listen; on SIGTERM calls `close`, then ends `http`. */
export async function runUntilTerm(http: Server, close: () => Promise<void>): Promise<void> {
  process.once('SIGTERM', () => {
    void close().then(() => {
      http.close();
      http.closeAllConnections();
    });
  });
  if (!http.listening) await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  console.log(`http://127.0.0.1:${address.port}/mcp`);
}
// #endregion run
