import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { v1Client } from '../support/v1-clients.ts';
import type { ModernSettings } from './modern-factories.ts';
import {
  describeModern,
  type ModernTransport,
  modernProcess,
  type ServedOverHttp,
  serveModern,
} from './modern-session.ts';

const info = { name: 'people', version: '1' };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const SAMPLED = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'short' } };
const ROOTS = { roots: [{ uri: 'file:///home/ada' }] };

interface Person {
  readonly asked: string[];
  answer(params: Json): Json;
}

const person = (): Person => {
  const asked: string[] = [];
  const answer = ({ mode, url, message, requestedSchema }: Json): Json => {
    asked.push(mode === 'url' ? `url ${url}` : String(message));
    if (mode === 'url') return { action: 'accept' };
    const isConfirm = 'confirmed' in requestedSchema.properties;
    return { action: 'accept', content: isConfirm ? { confirmed: true } : { name: 'Ada' } };
  };
  return { asked, answer };
};

async function connectV2(target: URL | ModernSettings, mode: 'auto' | { pin: string }, { asked, answer }: Person) {
  const client = new V2Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', async ({ params }) => answer(params as Json) as never);
  client.setRequestHandler('sampling/createMessage', async () => {
    asked.push('sampling');
    return SAMPLED;
  });
  client.setRequestHandler('roots/list', async () => {
    asked.push('roots');
    return ROOTS;
  });
  await client.connect(target instanceof URL ? new V2Http(target) : new V2Stdio(modernProcess(target)));
  return client;
}

async function connectV1(target: URL | ModernSettings, { asked, answer }: Person) {
  const { Client, StdioClientTransport, StreamableHTTPClientTransport } = v1Client('newest');
  const { types } = sdkNamed('newest');
  const client = new Client(info, { capabilities });
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) => answer(params as Json) as never);
  client.setRequestHandler(types.CreateMessageRequestSchema, async () => {
    asked.push('sampling');
    return SAMPLED;
  });
  client.setRequestHandler(types.ListRootsRequestSchema, async () => {
    asked.push('roots');
    return ROOTS;
  });
  const transport =
    target instanceof URL ? new StreamableHTTPClientTransport(target) : new StdioClientTransport(modernProcess(target));
  await client.connect(transport as never);
  return client;
}

/** What all clients can do, and say alike. */
interface AnyClient {
  callTool(params: { name: string; arguments: Json }): Promise<unknown>;
  getPrompt(params: { name: string }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
}

/** Everything that the asking server can be asked for, without what each revision adds to a result. */
async function askAll(client: AnyClient): Promise<Json> {
  const results = {
    all: await client.callTool({ name: 'all', arguments: {} }),
    count: await client.callTool({ name: 'count', arguments: { to: 3 } }),
    erase: await client.callTool({ name: 'erase', arguments: { files: 5 } }),
    twice: await client.callTool({ name: 'twice', arguments: {} }),
    minted: await client.callTool({ name: 'minted', arguments: {} }),
    prompt: await client.getPrompt({ name: 'greet' }),
    resource: await client.readResource({ uri: 'note://mine' }),
  };
  return Object.fromEntries(
    Object.entries(results).map(([name, result]) => {
      const { _meta, resultType: _resultType, ttlMs: _ttlMs, cacheScope: _cacheScope, ...own } = result as Json;
      return [name, own];
    }),
  );
}

const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const RESULTS = {
  all: text('Ada accept short file:///home/ada'),
  count: text('Ada Ada Ada in 3'),
  erase: text('erased'),
  twice: text('yes yes 2'),
  minted: text('[{"step":1},"Ada"]'),
  prompt: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada' } }] },
  resource: { contents: [{ uri: 'note://mine', text: 'A note of Ada' }] },
};
const QUESTIONS = [
  'Your name?\n\nAs in your passport.',
  'url https://mcp.example.com/connect',
  'sampling',
  'roots',
  'Your name?\n\n0 so far',
  'Your name?\n\n1 so far',
  'Your name?\n\n2 so far',
  'Erase 5 files?',
  'First?',
  'Second?',
  'Your name?',
  'Your name?',
  'Your name?',
];

describeModern('[M1j] one server for every client', (transport: ModernTransport, sdk: SdkName) => {
  const settings: ModernSettings = { factory: 'asking', sdk, isQuiet: true };
  let served: ServedOverHttp | undefined;
  let target: URL | ModernSettings = settings;
  beforeAll(async () => {
    if (transport === 'stdio') return;
    served = await serveModern(settings);
    target = served.url;
  });
  afterAll(() => served?.close());

  it.each([
    ['pinned to 2026-07-28', { pin: '2026-07-28' }],
    ['in mode auto', 'auto' as const],
  ])('asks the official v2 client, %s, and gives it the results', async (_name, mode) => {
    const one = person();
    const client = await connectV2(target, mode, one);
    expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual(['modern', '2026-07-28']);
    expect(await askAll(client)).toStrictEqual(RESULTS);
    // The questions of one round are put at once.
    expect(one.asked.toSorted()).toEqual(QUESTIONS.toSorted());
    await client.close();
  });

  it('asks the SDK v1 client the same, and gives it the same results', async () => {
    const one = person();
    const client = await connectV1(target, one);
    expect(await askAll(client)).toStrictEqual(RESULTS);
    expect(one.asked).toEqual(QUESTIONS);
    await client.close();
  });
});

describeModern('the official v2 client, pinned to 2026-07-28, on a server of SDK v1', (transport, sdk) => {
  const settings: ModernSettings = { factory: 'features', sdk, isQuiet: true };
  let served: ServedOverHttp | undefined;
  let client: V2Client;
  beforeAll(async () => {
    served = transport === 'http' ? await serveModern(settings) : undefined;
    client = await connectV2(served?.url ?? settings, { pin: '2026-07-28' }, person());
  });
  afterAll(async () => {
    await client.close();
    await served?.close();
  });

  it('knows it', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'features', version: '1', title: 'All features' });
    expect(client.getInstructions()).toBe('Use them all.');
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, prompts: {}, resources: {}, completions: {} });
  });

  it('lists what it has', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'brief' }]);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'file:///cfg.json' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 'page' }]);
  });

  it('uses what it has', async () => {
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject(text('hi'));
    expect(await client.readResource({ uri: 'page:///two' })).toMatchObject({ contents: [{ text: 'Page two' }] });
    const ref = { type: 'ref/prompt' as const, name: 'brief' };
    const { completion } = await client.complete({ ref, argument: { name: 'language', value: 'l' } });
    expect(completion.values).toEqual(['latin']);
  });

  it('reads what is not there as errors', async () => {
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'file:///no' })).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'file:///no' },
    });
  });

  it('listens for changes', async () => {
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    const subscription = await client.listen({ toolsListChanged: true });
    await client.callTool({ name: 'change', arguments: { what: 'tools' } });
    await heard;
    await subscription.close();
  });
});

describe('the official v2 client in the handshake era', () => {
  it('is asked live on the same URL', async () => {
    const served = await serveModern({ factory: 'asking' });
    const one = person();
    const client = new V2Client(info, { capabilities, versionNegotiation: { mode: 'legacy' } });
    client.setRequestHandler('elicitation/create', async ({ params }) => one.answer(params as Json) as never);
    await client.connect(new V2Http(served.url));
    expect(client.getProtocolEra()).toBe('legacy');
    expect(await client.callTool({ name: 'erase', arguments: { files: 2 } })).toMatchObject(text('erased'));
    expect(one.asked).toEqual(['Erase 2 files?']);
    await client.close();
    await served.close();
  });
});
