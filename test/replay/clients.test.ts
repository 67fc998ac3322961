import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOTS, SAMPLED } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';
import { v1Client } from '../support/v1-clients.ts';
import { BODIES } from './bodies.ts';
import { accepted } from './questions.ts';
import { manyFactory, processOf } from './replay-process.ts';
import { serveReplay, URL_SERVED } from './replay-session.ts';

const info = { name: 'people', version: '1' };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

function answerTo({ mode, message }: Json, asked: string[]): Json {
  asked.push(message);
  return mode === 'url' ? { action: 'accept' } : accepted(String(message).toUpperCase());
}

/** What all clients can do alike. */
interface AnyClient {
  callTool(params: { name: string; arguments: Json }): Promise<unknown>;
}

/** The official v2 client, pinned to the modern era, so that nothing but replay can pass. */
async function connectV2(transport: V2Http | V2Stdio, asked: string[]): Promise<AnyClient> {
  const client = new V2Client(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setRequestHandler('elicitation/create', async ({ params }) => answerTo(params as Json, asked) as never);
  client.setRequestHandler('sampling/createMessage', async () => SAMPLED as never);
  client.setRequestHandler('roots/list', async () => ROOTS as never);
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(client.getProtocolEra()).toBe('modern');
  return client;
}

async function connectV1(served: ReturnType<typeof serveReplay>, asked: string[]): Promise<AnyClient> {
  const { Client, StreamableHTTPClientTransport } = v1Client('newest');
  const { types } = sdkNamed('newest');
  const client = new Client(info, { capabilities });
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) => answerTo(params as Json, asked) as never);
  client.setRequestHandler(types.CreateMessageRequestSchema, async () => SAMPLED as never);
  client.setRequestHandler(types.ListRootsRequestSchema, async () => ROOTS as never);
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await served.fetch(url, init);
    if (init?.method === 'GET') open();
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_SERVED), { fetch }) as never);
  onTestFinished(() => client.close());
  await opened;
  return client;
}

/** The texts of everything that asks, and the questions. */
async function askAll(client: AnyClient): Promise<string[]> {
  const texts: string[] = [];
  for (const name of ['two', 'five', 'three', 'kinds', 'folder', 'swallow', 'retry', 'meanwhile']) {
    const { content } = (await client.callTool({ name, arguments: { n: 7 } })) as Json;
    texts.push(content[0].text);
  }
  return texts;
}

const TEXTS = [
  '7: 7A 7B',
  'QUESTION 1? QUESTION 2? QUESTION 3? QUESTION 4? QUESTION 5?',
  'A B C',
  'NAME? accept short file:///home/ada',
  'true',
  'A',
  'A',
  'A',
];
const ASKED = [
  ...['7a', '7b', 'Question 1?', 'Question 2?', 'Question 3?', 'Question 4?', 'Question 5?'],
  ...['a', 'b', 'c', 'Name?', 'Sign in', 'Publish?', 'a', 'a', 'a'],
];

const served = (sdk: 'newest' | 'oldest') => serveReplay(manyFactory(BODIES, sdk));

describe.each(['newest'] as const)('[P4c] existing handlers (%s SDK v1)', (sdk) => {
  it('are asked by the official v2 client, pinned to 2026-07-28, over HTTP', async () => {
    const asked: string[] = [];
    const { fetch } = served(sdk);
    const client = await connectV2(new V2Http(new URL(URL_SERVED), { fetch }), asked);
    expect(await askAll(client)).toEqual(TEXTS);
    expect(asked).toEqual(ASKED);
  });

  it('are asked by the official v2 client, pinned to 2026-07-28, over stdio', async () => {
    const asked: string[] = [];
    const client = await connectV2(new V2Stdio({ ...processOf({ sdk }), stderr: 'ignore' }), asked);
    expect(await askAll(client)).toEqual(TEXTS);
    expect(asked).toEqual(ASKED);
  });

  it('are asked the same by the SDK v1 client, live', async () => {
    const asked: string[] = [];
    const client = await connectV1(served(sdk), asked);
    expect(await askAll(client)).toEqual(TEXTS);
    expect(asked).toEqual(ASKED);
  });
});
