/** Where the server is, as a person says it: a URL, or a command with its arguments. */
import type { Target } from 'mcp-dual-era/client';

export function targetFrom([first = '', ...args]: readonly string[]): Target {
  return /^https?:/.test(first) ? new URL(first) : { command: first, args };
}
