import { fileURLToPath } from 'node:url';
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { v1Client } from '../support/v1-clients.ts';

/** Where a server is: its URL, or which SDK v1 a process of its own is to have. */
export type Target = URL | SdkName;

/** A person's answers, by what they answer. */
export interface Person {
  readonly form: () => Json | Promise<Json>;
}

/** A real client with a person in front of it. */
export interface Connected {
  readonly asked: string[];
  listTools(): Promise<unknown>;
  callTool(name: string, args: Json): Promise<Json>;
  getPrompt(name: string): Promise<Json>;
  readResource(uri: string): Promise<Json>;
  close(): Promise<void>;
}

const info = { name: 'interop', version: '1' };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const SAMPLED = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'short' } };
const ROOTS = { roots: [{ uri: 'file:///home/ada' }] };

const SERVER = fileURLToPath(new URL('interop-server-stdio.ts', import.meta.url));
const processOf = (sdk: SdkName) => ({ command: process.execPath, args: [...nodeArgs(SERVER), sdk] });

export type ClientName = 'newest SDK v1' | 'oldest SDK v1' | 'official v2';
export const CLIENTS: readonly ClientName[] = ['newest SDK v1', 'oldest SDK v1', 'official v2'];

export function connect(client: ClientName, target: Target, person: Person): Promise<Connected> {
  if (client === 'official v2') return connectV2(target, person);
  return connectV1(client === 'newest SDK v1' ? 'newest' : 'oldest', target, person);
}

async function connectV1(sdk: SdkName, target: Target, person: Person): Promise<Connected> {
  const { Client, StdioClientTransport, StreamableHTTPClientTransport } = v1Client(sdk);
  const { types } = sdkNamed(sdk);
  const client = new Client(info, { capabilities });
  const asked: string[] = [];
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) =>
    answerElicit(params as Json, asked, person),
  );
  client.setRequestHandler(types.CreateMessageRequestSchema, async () => noting(asked, 'sampling', SAMPLED));
  client.setRequestHandler(types.ListRootsRequestSchema, async () => noting(asked, 'roots', ROOTS));
  const transport =
    target instanceof URL ? new StreamableHTTPClientTransport(target) : new StdioClientTransport(processOf(target));
  await client.connect(transport as never);
  return {
    asked,
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    getPrompt: (name) => client.getPrompt({ name }),
    readResource: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

async function connectV2(target: Target, person: Person): Promise<Connected> {
  // Pinned to the handshake era: with 'auto' a lost question could pass for a modern server's.
  const client = new V2Client(info, { capabilities, versionNegotiation: { mode: 'legacy' } });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => answerElicit(params as Json, asked, person));
  client.setRequestHandler('sampling/createMessage', async () => noting(asked, 'sampling', SAMPLED));
  client.setRequestHandler('roots/list', async () => noting(asked, 'roots', ROOTS));
  await client.connect(target instanceof URL ? new V2Http(target) : new V2Stdio(processOf(target)));
  if (client.getProtocolEra() !== 'legacy') throw new Error('The v2 client is not in the handshake era');
  return {
    asked,
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }) as Promise<Json>,
    getPrompt: (name) => client.getPrompt({ name }) as Promise<Json>,
    readResource: (uri) => client.readResource({ uri }) as Promise<Json>,
    close: () => client.close(),
  };
}

async function answerElicit(params: Json, asked: string[], { form }: Person): Promise<never> {
  const isUrl = params['mode'] === 'url';
  asked.push(isUrl ? `url ${params['url']}` : `form ${params['message']}`);
  return (isUrl ? { action: 'accept' } : await form()) as never;
}

function noting<Answer>(asked: string[], kind: string, answer: Answer): Answer {
  asked.push(kind);
  return answer;
}
