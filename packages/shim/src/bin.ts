#!/usr/bin/env node
/** The command `mcp-dual-era`. */
import { generateRequestStateKey } from './state/keys.ts';

const USAGE = 'Usage: mcp-dual-era key    prints a fresh key for the requestState option `keys`';

const [command, ...rest] = process.argv.slice(2);
if (command === 'key' && rest.length === 0) {
  process.stdout.write(`${generateRequestStateKey()}\n`);
} else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = command === undefined || command === '--help' ? 0 : 2;
}
