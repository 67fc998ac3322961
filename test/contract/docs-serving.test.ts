import * as modernNode from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as modernServer from '@modelcontextprotocol/server';
import * as modernStdio from '@modelcontextprotocol/server/stdio';
import * as root from 'mcp-dual-era';
import * as serve from 'mcp-dual-era/serve';
import { createMcpHandler, type McpHandler, type ServerFactory } from 'mcp-dual-era/serve';
import { addRenameBefore } from 'mcp-dual-era-examples/guide/from-elicit-input.ts';
import {
  announceChanges,
  announceFrom,
  createHintedHandler,
  createServerForCaller,
} from 'mcp-dual-era-examples/guide/serving.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/json.ts';
import { read } from './quotes.ts';

const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const ENVELOPE = {
  [CLAIM]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'reader', version: '1' } };

function handlerOf(factory: ServerFactory, options: serve.HttpServeOptions = {}): McpHandler {
  const handler = createMcpHandler(factory, { inputRequired: { onEvent: () => undefined }, ...options });
  onTestFinished(handler.close);
  return handler;
}

function post(method: string, params: Json, headers: Record<string, string> = {}): Request {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return new Request('http://localhost/mcp', { method: 'POST', headers: { ...HEADERS, ...headers }, body });
}

function modern(method: string, params: Json = {}, envelope: Json = {}): Request {
  const name = params['name'] === undefined ? {} : { 'mcp-name': String(params['name']) };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
  return post(method, { ...params, _meta: { ...ENVELOPE, ...envelope } }, headers);
}

const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;

const serverWith = (add: (server: McpServer) => void) => () => {
  const server = new McpServer({ name: 'reader', version: '1' });
  add(server);
  return server;
};

describe('docs/serving.md', () => {
  const page = read('docs/serving.md');
  const rows = new Map(
    [...page.matchAll(/^\| `([\w.]+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].map(([, name = '', , value = '']) => [
      name,
      value,
    ]),
  );
  const source = read('packages/shim/src/serving/serve-options.ts');

  const optionsOf = (name: string, prefix = ''): [name: string, defaultValue: string][] => {
    const body = new RegExp(`export interface ${name}[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
    return [...body.matchAll(/@defaultValue ([^\n]+?)(?: \*\/)?\n(?:\s*\*\/\n)?\s*readonly (\w+)\?/g)].map(
      ([, value = '', option = '']) => [`${prefix}${option}`, value],
    );
  };
  const options = [
    ...optionsOf('ServeOptions'),
    ...optionsOf('HttpServeOptions'),
    ...optionsOf('SessionOptions', 'sessions.'),
  ];

  it('has a row for every option and no other', () => {
    const declared = [...source.matchAll(/^ {2}readonly (\w+)\?: .*\| undefined;$/gm)].map(([, name = '']) => name);
    expect(options.length).toBeGreaterThan(12);
    expect([...rows.keys()].sort()).toEqual(options.map(([name]) => name).sort());
    expect(options.map(([name]) => name.replace('sessions.', ''))).toEqual(
      expect.arrayContaining(declared.filter((name) => name !== 'sessions')),
    );
  });

  it.each(options)('tells the default of %s', (name, value) => {
    const bare = (text = '') => text.replaceAll(/[`' ]/g, '');
    expect(bare(rows.get(name))).toBe(bare(value));
  });

  it.each([
    ['an initialize', () => post('initialize', INITIALIZE), 'handshake'],
    [
      'an initialize with a broken claim',
      () => post('initialize', { ...INITIALIZE, _meta: { [CLAIM]: 1 } }),
      'handshake',
    ],
    ['any other POST with a claim', () => modern('tools/list'), 'modern'],
  ])('tells the era of %s', async (_what, request, era) => {
    const eras: string[] = [];
    const handler = handlerOf((context) => {
      eras.push(context.era);
      return serverWith(addRenameBefore)();
    });
    expect((await handler.fetch(request())).status).toBe(200);
    expect(eras).toEqual([era]);
  });

  it.each([
    ['a claim that is wrong', () => modern('tools/list', {}, { [CLAIM]: '2025-11-25' }), 400, -32020],
    ['a header without a claim', () => post('tools/list', {}, { 'mcp-protocol-version': '2026-07-28' }), 400, -32602],
    [
      'an initialize with a header of 2026-07-28',
      () => post('initialize', INITIALIZE, { 'mcp-protocol-version': '2026-07-28' }),
      400,
      -32020,
    ],
    ['text that is not said to be JSON', () => post('tools/list', {}, { 'content-type': 'text/plain' }), 415, -32000],
    ['a POST outside of any session', () => post('tools/list', {}), 400, -32000],
  ])('tells that %s is refused', async (_what, request, status, code) => {
    const handler = handlerOf(serverWith(addRenameBefore));
    const response = await handler.fetch(request());
    expect([response.status, (await jsonOf(response))['error'].code]).toEqual([status, code]);
  });

  it('offers a tool to callers with a token alone, in both eras', async () => {
    const handler = handlerOf(createServerForCaller);
    const authInfo = { token: 't', clientId: 'app', scopes: [] };
    for (const options of [{}, { authInfo }]) {
      const { result } = await jsonOf(await handler.fetch(modern('tools/list'), options));
      const opened = await handler.fetch(post('initialize', INITIALIZE), options);
      await opened.text();
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const listed = await handler.fetch(post('tools/list', {}, session), options);
      const names = (text: string) => /open_ticket/.test(text);
      const expected = 'authInfo' in options;
      expect([names(JSON.stringify(result)), names(await listed.text())]).toEqual([expected, expected]);
    }
  });

  it('gives hints to modern clients', async () => {
    const handler = createHintedHandler();
    onTestFinished(handler.close);
    const { result } = await jsonOf(await handler.fetch(modern('tools/list')));
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  });

  it('announces changes to those who listen, from the handler and from a server', async () => {
    const servers: McpServer[] = [];
    const handler = handlerOf(() => {
      const server = serverWith(addRenameBefore)();
      servers.push(server);
      return server;
    });
    const params = { notifications: { toolsListChanged: true } };
    const response = await handler.fetch(modern('subscriptions/listen', params));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const changes = async (count: number): Promise<void> => {
      while (text.split('notifications/tools/list_changed').length - 1 < count) text += (await reader?.read())?.value;
    };
    announceChanges(handler);
    await changes(1);
    for (const server of servers) if (server.isConnected()) announceFrom(server);
    await changes(2);
  });
});

describe('docs/moving.md', () => {
  it.each([
    ['HTTP', 'http#before', 'http#after'],
    ['stdio', 'stdio-before#before', 'stdio-after#after'],
  ])('changes one line for %s', (_what, ...quoted) => {
    const [before = [], after = []] = quoted.map((name) => {
      const opening = `source=packages/examples/src/moving/${name.replace('#', '.ts#')}\n`;
      return (read('docs/moving.md').split(opening)[1]?.split('```')[0] ?? '').trimEnd().split('\n');
    });
    expect(after).toHaveLength(before.length);
    expect(after.filter((line, index) => line !== before[index])).toHaveLength(1);
  });
});

describe('docs/leaving.md', () => {
  const page = read('docs/leaving.md');
  const rows = [...page.matchAll(/^\| (`[^|]+) \| ([^|]+) \| (`[\w/]+`)? ?\|$/gm)];
  const modules: Record<string, object> = {
    '`server`': modernServer,
    '`server/stdio`': modernStdio,
    '`node`': modernNode,
  };

  it('has a row for every name of the root and of the serving entry', () => {
    const told = rows.flatMap(([, ours = '']) => [...ours.matchAll(/`(\w+)/g)].map(([, name = '']) => name));
    for (const name of [...Object.keys(root), ...Object.keys(serve)]) expect(told).toContain(name);
  });

  it('names what SDK v2 has', () => {
    const named = rows.filter(([, , , from]) => from !== undefined);
    expect(named.length).toBeGreaterThan(7);
    for (const [, , theirs = '', from = ''] of named) {
      expect(Object.keys(modules[from] ?? {})).toContain(theirs.replaceAll('`', '').trim());
    }
  });

  it('tells that nothing there checks the host', async () => {
    const handler = modernServer.createMcpHandler(() => new modernServer.McpServer({ name: 'v2', version: '1' }));
    onTestFinished(handler.close);
    const request = modern('server/discover');
    const response = await handler.fetch(new Request('http://elsewhere.example.com/mcp', request));
    expect(response.status).toBe(200);
  });
});

describe('docs/errors.md', () => {
  const page = read('docs/errors.md');
  const quotes = (message: string) => expect(page).toContain(`> ${message}\n`);

  it('quotes what createMcpHandler says without a key', () => {
    let message = '';
    try {
      createMcpHandler(serverWith(addRenameBefore), { allowedHosts: ['mcp.example.com'] });
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toContain('mcp.example.com');
    quotes(message);
  });

  const rename = { name: 'rename', arguments: { file: 'a' } };
  const deploy = { name: 'deploy', arguments: { environment: 'staging' } };
  const none = { 'io.modelcontextprotocol/clientCapabilities': {} };

  it.each([
    ['a push call', () => modern('tools/call', rename), 200, -32603],
    ['a missing capability', () => modern('tools/call', deploy, none), 400, -32021],
    ['a bad state', () => modern('tools/call', { ...deploy, requestState: 'x' }), 200, -32602],
    ['a session that is not there', () => post('tools/list', {}, { 'mcp-session-id': 'x' }), 404, -32001],
    ['no session', () => post('tools/list', {}), 400, -32000],
    ['another host', () => new Request('http://mcp.example.com/mcp', post('initialize', INITIALIZE)), 403, -32000],
    ['another page', () => post('initialize', INITIALIZE, { origin: 'https://app.example.com' }), 403, -32000],
    ['a long body', () => post('initialize', { text: 'x'.repeat(4_194_304) }), 413, -32000],
  ])('quotes the message for %s', async (_what, request, status, code) => {
    const handler = handlerOf((context) => {
      const server = createServerForCaller(context) as McpServer;
      addRenameBefore(server);
      return server;
    });
    const response = await handler.fetch(request());
    const { error } = await jsonOf(response);
    expect([response.status, error.code]).toEqual([status, code]);
    quotes(error.message);
  });

  it('quotes the messages for too many sessions, and for a server that is closed', async () => {
    const handler = handlerOf(serverWith(addRenameBefore), { sessions: { max: 1 } });
    await handler.fetch(post('initialize', INITIALIZE));
    const full = await handler.fetch(post('initialize', INITIALIZE));
    await handler.close();
    const closed = await handler.fetch(post('initialize', INITIALIZE));
    for (const response of [full, closed]) {
      expect(response.status).toBe(503);
      quotes((await jsonOf(response))['error'].message);
    }
  });
});
