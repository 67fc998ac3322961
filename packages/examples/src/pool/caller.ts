/** One caller: opens a session, calls the tool, has a person answer after a while, and closes the session. */
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator } from 'mcp-dual-era';
import { outcomeOf } from '../guide/client.ts';

export type Called =
  /** `around`: how long a process was taken beside the answer itself, in milliseconds. */
  | { readonly end: 'answered'; readonly around: number }
  | { readonly end: 'refused' }
  | { readonly end: 'failed'; readonly why: string };

const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());
const CAPTION = 'Two cats';

/** Never rejects. `answerTime` is in milliseconds. */
export async function callOnce(url: URL, answerTime: number): Promise<Called> {
  const begin = performance.now();
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: 'caller', version: '1.0.0' }, { capabilities, jsonSchemaValidator });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await setTimeout(answerTime);
    return { action: 'accept', content: { text: CAPTION } };
  });
  const transport = new StreamableHTTPClientTransport(url);
  try {
    await client.connect(transport as Transport);
    const result = await client.callTool({ name: 'caption' });
    // To be gone without a word would leave the process taken until the session has been idle for long.
    await transport.terminateSession();
    if (outcomeOf(result)?.reason === 'busy') return { end: 'refused' };
    const [content] = result.content as { readonly text?: string }[];
    if (content?.text !== CAPTION) return { end: 'failed', why: JSON.stringify(result) };
    return { end: 'answered', around: performance.now() - begin - answerTime };
  } catch (error) {
    return { end: 'failed', why: error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error) };
  } finally {
    await client.close();
  }
}
