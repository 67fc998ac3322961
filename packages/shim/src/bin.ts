#!/usr/bin/env node
/** The command `mcp-dual-era`. */
import { main } from './command/main.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = 1;
  // Whoever closes the pipe has seen enough; a disk that is full wants to be told.
  if (error.code !== 'EPIPE') process.stderr.write(`mcp-dual-era: stdout: ${error.message}\n`);
});

await main(process.argv.slice(2));
