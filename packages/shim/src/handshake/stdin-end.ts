/** The end of stdin ends a stdio connection: SDK v1's stdio transport does not notice it. */

interface InputStream {
  on(event: 'end' | 'close', listener: () => void): unknown;
  off(event: 'end' | 'close', listener: () => void): unknown;
  listenerCount(event: 'data'): number;
}

/**
 * Starts a transport and, if that made it read the process's stdin, calls `onEnd` when stdin ends.
 * The returned function stops that.
 */
export async function startWatchingStdin(start: () => Promise<void>, onEnd: () => void): Promise<() => void> {
  const stdin: InputStream = process.stdin;
  const listeners = stdin.listenerCount('data');
  const started = start();
  // Before the wait, in which another transport may start to read it.
  const isReading = stdin.listenerCount('data') > listeners;
  await started;
  if (!isReading) return () => undefined;
  stdin.on('end', onEnd);
  stdin.on('close', onEnd);
  return () => {
    stdin.off('end', onEnd);
    stdin.off('close', onEnd);
  };
}
