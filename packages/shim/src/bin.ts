#!/usr/bin/env node
/** The command `mcp-dual-era`. */
import { main } from './command/main.ts';

await main(process.argv.slice(2));
