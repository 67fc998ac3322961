import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGE, type Packed, packForConsumer } from '../support/packed.ts';
import { read } from './quotes.ts';

const errors = read('docs/errors.md');
const NOT_INSTALLED =
  'handler.node needs the package @modelcontextprotocol/node, which is not installed: ' +
  'npm install @modelcontextprotocol/node. Without it, serve with handler.fetch.';

let packed: Packed;
beforeAll(() => {
  packed = packForConsumer();
}, 60_000);
afterAll(() => packed?.remove());

const folderOf = (peer: string): string => join(packed.directory, 'node_modules/@modelcontextprotocol', peer);
const install = (peer: string): void =>
  symlinkSync(join(PACKAGE, 'node_modules/@modelcontextprotocol', peer), folderOf(peer));
afterEach(() => {
  for (const peer of ['server', 'node', 'client']) rmSync(folderOf(peer), { recursive: true, force: true });
});

/** Runs `program`, with what it needs loaded in the way of `modules`. */
function run(modules: 'ESM' | 'CJS', program: string) {
  const load = { ESM: 'await import(', CJS: 'require(' }[modules];
  const body = program.replaceAll('load(', load);
  const args = modules === 'ESM' ? ['--input-type=module', '-e', body] : ['-e', `(async () => {${body}})()`];
  // pnpm has its commands find what any package of the workspace depends on.
  const env = { ...process.env, NODE_PATH: '' };
  return spawnSync(process.execPath, args, { cwd: packed.directory, encoding: 'utf8', env });
}

/** A server in the way of the README, asked twice. It prints both answers, and what `onerror` heard. */
const served = (options: string): string => `
  const { createServer } = load('node:http');
  const { McpServer } = load('@modelcontextprotocol/sdk/server/mcp.js');
  const { createMcpHandler } = load('mcp-dual-era/serve');
  const heard = [];
  const handler = createMcpHandler(() => new McpServer({ name: 'x', version: '1' }), ${options});
  const http = createServer((request, response) => void handler.node(request, response));
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const answers = [];
  for (const time of [1, 2]) {
    const response = await fetch('http://127.0.0.1:' + http.address().port, { method: 'POST', body: '{}' });
    answers.push(response.status, await response.json());
  }
  console.log(JSON.stringify({ answers, heard: heard.map(({ code, message }) => [code, message]) }));
  http.closeAllConnections();
  http.close();`;

const FAILED = { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'Internal server error' } };
const ANSWERS = [500, FAILED, 500, FAILED];

describe.each(['ESM', 'CJS'] as const)('handler.node, as %s', (modules) => {
  it('answers, lives and warns once without its peer, and names what to install', () => {
    install('server');
    const { status, stdout, stderr } = run(modules, served('{}'));
    expect([status, JSON.parse(stdout || '{}')]).toEqual([0, { answers: ANSWERS, heard: [] }]);
    expect(stderr.split('McpDualEraWarning: ')).toHaveLength(2);
    const advice = 'Give onerror to see every such error; this warning comes once.';
    expect(stderr).toContain(`McpDualEraWarning: mcp-dual-era: ${NOT_INSTALLED} ${advice}`);
    expect(errors).toContain(`### MISSING_PEER\n\n> ${NOT_INSTALLED}\n`);
  });

  it('has onerror hear of it with each request', () => {
    install('server');
    const { stdout, stderr } = run(modules, served('{ onerror: (error) => heard.push(error) }'));
    expect(JSON.parse(stdout || '{}').heard).toEqual(Array(2).fill(['MISSING_PEER', NOT_INSTALLED]));
    expect(stderr).toBe('');
  });

  it.each([
    ['has no toNodeHandler, as 2.0.0-alpha.2', 'export const NodeStreamableHTTPServerTransport = 1;', 'it has no'],
    ['lacks a package of its own', "import 'not-installed';", "Cannot find package 'not-installed'"],
    ['needs another engine', "import { no } from '@modelcontextprotocol/server'; no();", 'The requested module'],
  ])('says what is wrong with one that %s', (_what, source, reason) => {
    install('server');
    mkdirSync(folderOf('node'));
    const manifest = { name: '@modelcontextprotocol/node', type: 'module', exports: './index.js' };
    writeFileSync(join(folderOf('node'), 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folderOf('node'), 'index.js'), source);
    const { status, stdout } = run(modules, served('{ onerror: (error) => heard.push(error) }'));
    const { answers, heard } = JSON.parse(stdout || '{}');
    expect([status, answers]).toEqual([0, ANSWERS]);
    const { peerDependencies } = JSON.parse(read('packages/shim/package.json'));
    const versions = ['node', 'server'].map((peer) => `@modelcontextprotocol/${peer}`);
    const command = `npm install ${versions.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}.`;
    expect(heard[0][0]).toBe('MISSING_PEER');
    expect(heard[0][1]).toContain(`handler.node cannot use the installed @modelcontextprotocol/node (${reason}`);
    expect(heard[0][1].endsWith(`): ${command}`)).toBe(true);
  });
});

describe('docs/errors.md', () => {
  const section = errors.split(/^## /m).find((text) => text.startsWith('Errors at the start')) ?? '';

  it.each([
    ['mcp-dual-era/serve', '@modelcontextprotocol/server'],
    ['mcp-dual-era/client', '@modelcontextprotocol/client'],
    ['mcp-dual-era/otel', '@opentelemetry/api'],
  ])('has the words of Node.js for %s without its peer, and the cure', (entry, peer) => {
    for (const [modules, words] of [
      ['ESM', `Cannot find package '${peer}' imported from `],
      ['CJS', `Cannot find module '${peer}'`],
    ] as const) {
      const { stderr } = run(modules, `load('${entry}')`);
      expect(stderr).toContain(words);
      expect(section).toContain(`> Error${modules === 'ESM' ? ' [ERR_MODULE_NOT_FOUND]' : ''}: ${words}`);
    }
    expect(section).toMatch(new RegExp(`^\\| \`${entry}\` \\| \`npm install ${peer}`, 'm'));
  });
});
