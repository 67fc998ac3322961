#!/usr/bin/env node
/** The command `mcp-dual-era`. */
import { readFileSync } from 'node:fs';
import { main } from './command/main.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = 1;
  // Whoever closes the pipe has seen enough; a disk that is full wants to be told.
  if (error.code !== 'EPIPE') process.stderr.write(`mcp-dual-era: stdout: ${error.message}\n`);
});

/** From package.json, which is as far from here in the source as in the build; read only when it is asked for. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

await main(process.argv.slice(2), readVersion);
