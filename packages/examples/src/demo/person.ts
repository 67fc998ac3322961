/** Clients on SDK v1: one with somebody at its keyboard, who knows only live questions, and one that cannot be asked. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const ANSWERS = new Map<string, ElicitResult>([
  ['Deploy build-1 to production?', { action: 'accept', content: { confirmed: true } }],
  ['Deploy build-2 to production?', { action: 'decline' }],
  ['Who reads about build-1?', { action: 'accept', content: { audience: 'users' } }],
  ['How many lines of the production log?', { action: 'accept', content: { lines: 2 } }],
]);

const BROKEN_DIALOG = 'Deploy build-3 to staging?';

export function createPerson(): Client {
  const client = new Client(
    { name: 'demo-client', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    if (params.message === BROKEN_DIALOG) throw new Error('The dialog could not be opened');
    const answer = ANSWERS.get(params.message);
    if (answer === undefined) throw new Error(`Nobody expected the question: ${params.message}`);
    return answer;
  });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'demo-model',
    content: { type: 'text', text: 'Carts last now, and prices are honest.' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///shop', name: 'The shop' }] }));
  return client;
}

export function createScript(): Client {
  return new Client({ name: 'demo-script', version: '1.0.0' });
}
