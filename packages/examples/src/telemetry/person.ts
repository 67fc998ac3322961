/** A client on SDK v1 with somebody at the keyboard, who confirms, declines, and then leaves a question open. */
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';

const ANSWERS: ElicitResult[] = [{ action: 'accept', content: { confirmed: true } }, { action: 'decline' }];

export function createPerson(): Client {
  const client = new Client({ name: 'person', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
  const answers = ANSWERS.values();
  client.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
    const { value } = answers.next();
    if (value !== undefined) return value;
    // The server takes its question back when the time is over.
    if (!signal.aborted) await once(signal, 'abort');
    return { action: 'cancel' };
  });
  return client;
}
