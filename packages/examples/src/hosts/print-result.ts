/** Prints what a tool says, and has the process end with 1 where that is an error. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export function printResult(result: { readonly [member: string]: unknown }): void {
  const { content, isError } = result as CallToolResult;
  for (const block of content) console.log(block.type === 'text' ? block.text : `(${block.type})`);
  if (isError === true) process.exitCode = 1;
}
