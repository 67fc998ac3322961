/** Plain text into, and out of, the shapes of the protocol. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { SamplingResult } from 'mcp-dual-era';

// #region text
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** What a model wrote, without images and the like. */
export function textOf({ content }: SamplingResult): string {
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}
// #endregion text
