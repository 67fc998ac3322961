/**
 * Clients with somebody at the keyboard, one on SDK v1, which knows only live questions, and one on SDK v2, pinned to
 * revision 2026-07-28; and one on SDK v1 that cannot be asked.
 */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { callerOf, type DemoClient } from './client.ts';

const ANSWERS = new Map<string, ElicitResult>([
  ['Deploy build-1 to production?', { action: 'accept', content: { confirmed: true } }],
  ['Deploy build-2 to production?', { action: 'decline' }],
  ['Who reads about build-1?', { action: 'accept', content: { audience: 'users' } }],
  ['How many lines of the production log?', { action: 'accept', content: { lines: 2 } }],
]);

const BROKEN_DIALOG = 'Deploy build-3 to staging?';

const INFO = { name: 'demo-client', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };
const SUMMARY = {
  role: 'assistant' as const,
  model: 'demo-model',
  content: { type: 'text' as const, text: 'Carts last now, and prices are honest.' },
};
const FOLDERS = { roots: [{ uri: 'file:///shop', name: 'The shop' }] };

function answerTo(message: string): ElicitResult {
  if (message === BROKEN_DIALOG) throw new Error('The dialog could not be opened');
  const answer = ANSWERS.get(message);
  if (answer === undefined) throw new Error(`Nobody expected the question: ${message}`);
  return answer;
}

export function createPerson(): DemoClient {
  const client = new Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answerTo(params.message));
  client.setRequestHandler(CreateMessageRequestSchema, () => SUMMARY);
  client.setRequestHandler(ListRootsRequestSchema, () => FOLDERS);
  return client;
}

/** The same person. SDK v2 hands the questions of a result to the same handlers, and calls again with what they say. */
export function createModernPerson(): DemoClient {
  const client = new ModernClient(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', async ({ params }) => answerTo(params.message));
  client.setRequestHandler('sampling/createMessage', async () => SUMMARY);
  client.setRequestHandler('roots/list', async () => FOLDERS);
  return callerOf(client);
}

export function createScript(): DemoClient {
  return new Client({ name: 'demo-script', version: '1.0.0' });
}
