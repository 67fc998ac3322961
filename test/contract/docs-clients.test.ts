import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { field, form, inputRequired } from 'mcp-dual-era';
import * as clientEntry from 'mcp-dual-era/client';
import { type ConnectOptions, callTool, connectDualEra, type Target } from 'mcp-dual-era/client';
import { createMcpHandler, type HttpServeOptions } from 'mcp-dual-era/serve';
import { createDeployServer } from 'mcp-dual-era-examples/deploy-server.ts';
import {
  callAtLeisure,
  connectAfter,
  connectBefore,
  connectOrSignIn,
  deployByHand,
  namesOfAsking,
  targetsOf,
} from 'mcp-dual-era-examples/guide/connecting.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenNode } from '../serve/node-server.ts';
import { read } from './quotes.ts';

const page = read('docs/clients.md');
const source = (file: string): string => read(`packages/shim/src/host/${file}`);
const rowsOf = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...cells]) => cells as string[]);

const DEPLOY = { name: 'deploy', arguments: { environment: 'staging' } };
const YES = { action: 'accept' as const, content: { confirmed: true } };
const DEPLOYED = { content: [{ type: 'text', text: expect.stringMatching(/^Deployed build-\d+ to staging\.$/) }] };

/** The example server, in this very process. */
function targetWith(options: HttpServeOptions = {}, factory = createDeployServer): Target {
  const handler = createMcpHandler(factory, options);
  onTestFinished(handler.close);
  return { url: 'http://localhost/mcp', fetch: (input, init) => handler.fetch(new Request(input, init)) };
}

function createClient(): Client {
  const client = new Client({ name: 'reader', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => YES);
  onTestFinished(() => client.close());
  return client;
}

async function connect(options: ConnectOptions, factory = createDeployServer): Promise<Client> {
  const client = createClient();
  await connectDualEra(client, targetWith({}, factory), options);
  return client;
}

function askForever(): McpServer {
  const server = new McpServer({ name: 'forever', version: '1' });
  server.registerTool('deploy', {}, () => {
    const sure = inputRequired.elicit({ message: 'Sure?', requestedSchema: form({ sure: field.boolean() }) });
    return inputRequired({ inputRequests: { sure } });
  });
  return server;
}

/** A server that answers everything with `status`. */
async function answerWith(status: number): Promise<URL> {
  const { url, close } = await listenNode((_request, response) => response.writeHead(status).end());
  onTestFinished(close);
  return url;
}

const thrownBy = (run: () => Promise<unknown>) =>
  run().then(
    () => new Error('Nothing was thrown'),
    (error: unknown) => error as Error,
  );

describe('the options in docs/clients.md', () => {
  const rows = rowsOf(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm);
  const body = /export interface ConnectOptions \{([\s\S]*?)\n\}/.exec(source('client-options.ts'))?.[1] ?? '';
  const bare = (text = '') => text.replaceAll(/[`' ]/g, '');

  it('are those of the code, with their defaults', () => {
    const declared = [...body.matchAll(/@defaultValue ([^\n]+?)(?: \*\/)?\n(?:\s*\*\/\n)?\s*readonly (\w+)\?/g)];
    expect(declared.map(([, , name]) => name)).toEqual([...body.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name));
    expect(declared.length).toBeGreaterThan(3);
    expect(rows.map(([name, , value]) => [name, bare(value)])).toEqual(
      declared.map(([, value, name]) => [name, bare(value)]),
    );
  });

  it.each(rows)('%s may be %s', async (name = '', values = '') => {
    const named = [...values.matchAll(/'(\w+)'/g)].map(([, value]) => value);
    const declared = new RegExp(`readonly ${name}\\?: (.+) \\| undefined;`).exec(body)?.[1] ?? '';
    expect([...declared.matchAll(/'(\w+)'/g)].map(([, value]) => value)).toEqual(named);
    const most = / to (\d+)$/.exec(values)?.[1];
    const wrong: unknown[] = [null, ...(named.length > 0 ? ['other'] : [0, 1.5]), ...(most ? [Number(most) + 1] : [])];
    for (const value of wrong) {
      const error = await thrownBy(() => connectDualEra(createClient(), targetWith(), { [name]: value }));
      expect(String(error)).toMatch(/^(Type|Range)Error: .+, got [^,]+$/);
    }
  });
});

describe('the table of clients and servers', () => {
  const CLIENTS = ['SDK v1 alone', 'auto', 'modern', 'handshake'];
  const SERVERS = new Map([
    ['handshake only', ['handshake', 'official handshake']],
    ['both eras', ['dual', 'official dual']],
    ['modern only', ['modern', 'official modern']],
  ]);
  const rows = rowsOf(/^\| (SDK v1 alone|`mode: '\w+'`) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm).map(
    ([client = '', ...cells]) => [/'(\w+)'/.exec(client)?.[1] ?? client, ...cells],
  );
  // How the cells end in the test that tries them.
  const tried = new Map(
    [...read('test/client/matrix.test.ts').matchAll(/^ {2}\['([^']+)', '([\w ]+)', '(\w+)'/gm)].map(
      ([, client, server, end = '']) => [
        `${client}, ${server}`,
        /^[A-Z]/.test(end) ? `fails, ${end}` : `works, ${end}`,
      ],
    ),
  );

  it('has every one of them', () => {
    expect(rows.map(([client, server]) => `${client}, ${server}`)).toEqual(
      CLIENTS.flatMap((client) => [...SERVERS.keys()].map((server) => `${client}, ${server}`)),
    );
  });

  it.each(rows)('tells what %s does on a server that is %s', (client = '', server = '', http, stdio) => {
    expect(stdio).toBe(http);
    for (const name of SERVERS.get(server) ?? []) {
      expect(http?.replaceAll('`', '')).toBe(tried.get(`${client}, ${name}`) ?? 'fails');
    }
  });
});

describe('the examples of docs/clients.md', () => {
  it('connect as before, and after, with one line changed', async () => {
    const handler = createMcpHandler(createDeployServer);
    const { url, close } = await listenNode((request, response) => handler.node(request, response));
    onTestFinished(() => handler.close().then(close));
    for (const connectTo of [connectBefore, connectAfter]) {
      const client = createClient();
      await connectTo(client, url);
      expect(client.getServerVersion()).toMatchObject({ name: 'deploy-server' });
      expect(await callAtLeisure(client, DEPLOY)).toMatchObject(DEPLOYED);
      await client.close();
    }
  });

  it('send the token', async () => {
    const heard: unknown[] = [];
    const { url, close } = await listenNode(({ headers }, response) => {
      heard.push(headers.authorization);
      response.writeHead(401).end();
    });
    onTestFinished(close);
    const [target, command] = targetsOf(url.href, 'a-token');
    expect(await connectOrSignIn(createClient(), target as Target)).toBe('sign in first');
    expect(new Set(heard)).toEqual(new Set(['Bearer a-token']));
    expect(command).toMatchObject({ command: 'node' });
  });

  it('tell eras and errors', async () => {
    expect(await connectOrSignIn(createClient(), targetWith())).toBe('modern');
    expect(await connectOrSignIn(createClient(), targetWith({ eras: 'handshake' }))).toBe('handshake');
    await expect(connectOrSignIn(createClient(), await answerWith(500))).rejects.toThrow('could not be reached');
  });

  it('get an ask from a prompt and a resource', async () => {
    const client = await connect({ inputRequired: 'return' });
    expect(await namesOfAsking(client)).toEqual(['prompt', 'log']);
  });

  it('answer by hand, in both eras', async () => {
    for (const [options, questions] of [
      [{}, ['elicitation/create']],
      [{ eras: 'handshake' as const }, []],
    ] as const) {
      const client = createClient();
      await connectDualEra(client, targetWith(options), { inputRequired: 'return' });
      const asked: string[] = [];
      const result = await deployByHand(client, async ({ method }) => {
        asked.push(method);
        return YES;
      });
      expect(result).toMatchObject(DEPLOYED);
      expect(asked).toEqual(questions);
    }
  });
});

describe('the numbers in docs/clients.md', () => {
  const numberIn = (file: string, name: string) =>
    Number(new RegExp(`${name} = ([\\d_]+);`).exec(source(file))?.[1]?.replaceAll('_', ''));

  it('are those of the code', () => {
    const most = String(numberIn('ask-memory.ts', 'MOST_CHARACTERS')).replace(/\B(?=(\d{3})+$)/g, ' ');
    expect(page).toContain(`At most ${most} characters`);
    const [first, longest] = ['FIRST_PAUSE', 'LONGEST_PAUSE'].map((name) => numberIn('meet-asks.ts', name));
    expect(page).toContain(`after ${first} ms, then less often, up to every ${longest} ms`);
  });
});

describe('docs/errors.md, on clients', () => {
  const sections = new Map(
    read('docs/errors.md')
      .split(/^### /m)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.split('\n')[2]]),
  );

  const closed = async (): Promise<URL> => {
    const { url, close } = await listenNode(() => undefined);
    await close();
    return url;
  };

  it.each<[heading: string, run: () => Promise<unknown>]>([
    ['CONNECT_FAILED', async () => connectDualEra(createClient(), await closed())],
    ['NOT_CONNECTED', () => callTool(createClient(), DEPLOY)],
    ['NOT_HANDSHAKE', () => connectDualEra(createClient(), targetWith({ eras: 'modern' }), { mode: 'handshake' })],
    ['NOT_MODERN', () => connectDualEra(createClient(), targetWith({ eras: 'handshake' }), { mode: 'modern' })],
    ['UNAUTHORIZED', async () => connectDualEra(createClient(), await answerWith(401))],
    ['-32603: The ask of the server cannot be met', async () => (await connect({}, askForever)).callTool(DEPLOY)],
    ['-32603: tools/call needs input', async () => (await connect({ inputRequired: 'return' })).callTool(DEPLOY)],
    [
      'ARGUMENTS_CHANGED',
      async () => {
        const client = await connect({ inputRequired: 'return' });
        const { requestState } = (await callTool(client, DEPLOY)) as { requestState: string };
        await callTool(client, { ...DEPLOY, arguments: { environment: 'production' }, requestState });
      },
    ],
  ])('quotes what %s says', async (heading, run) => {
    const error = await thrownBy(run);
    if (!heading.startsWith('-')) expect(error).toMatchObject({ name: 'DualEraError', code: heading });
    expect(sections.get(heading)).toBe(`> ${error.message}`);
  });
});

describe('docs/leaving.md', () => {
  it('has a row for every name of the client entry', () => {
    const rows =
      read('docs/leaving.md')
        .match(/^\| `.+$/gm)
        ?.join('\n') ?? '';
    for (const name of Object.keys(clientEntry)) expect(rows).toContain(`\`${name}\``);
  });
});
