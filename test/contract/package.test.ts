import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGE, type Packed, packForConsumer } from '../support/packed.ts';
import { ROOT_NAMES } from '../support/root-names.ts';

describe('the packed package', () => {
  let packed: Packed;
  beforeAll(() => {
    packed = packForConsumer();
  }, 60_000);
  afterAll(() => packed?.remove());

  // pnpm has its commands find what any package of the workspace depends on.
  const env = { ...process.env, NODE_PATH: '' };
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: packed.directory, encoding: 'utf8', stdio: 'pipe', env }).trim();

  it('holds the build, the README, the licences and the manifest, and nothing else', () => {
    expect(packed.paths.filter((path) => path !== 'CHANGELOG.md').sort()).toEqual([
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES.md',
      'dist/bin.js',
      'dist/client.cjs',
      'dist/client.cjs.map',
      'dist/client.d.cts',
      'dist/client.d.cts.map',
      'dist/client.d.ts',
      'dist/client.d.ts.map',
      'dist/client.js',
      'dist/client.js.map',
      'dist/index.cjs',
      'dist/index.cjs.map',
      'dist/index.d.cts',
      'dist/index.d.cts.map',
      'dist/index.d.ts',
      'dist/index.d.ts.map',
      'dist/index.js',
      'dist/index.js.map',
      'dist/otel.cjs',
      'dist/otel.cjs.map',
      'dist/otel.d.cts',
      'dist/otel.d.cts.map',
      'dist/otel.d.ts',
      'dist/otel.d.ts.map',
      'dist/otel.js',
      'dist/otel.js.map',
      'dist/redis.cjs',
      'dist/redis.cjs.map',
      'dist/redis.d.cts',
      'dist/redis.d.cts.map',
      'dist/redis.d.ts',
      'dist/redis.d.ts.map',
      'dist/redis.js',
      'dist/redis.js.map',
      'dist/serve.cjs',
      'dist/serve.cjs.map',
      'dist/serve.d.cts',
      'dist/serve.d.cts.map',
      'dist/serve.d.ts',
      'dist/serve.d.ts.map',
      'dist/serve.js',
      'dist/serve.js.map',
      'dist/testing.cjs',
      'dist/testing.cjs.map',
      'dist/testing.d.cts',
      'dist/testing.d.cts.map',
      'dist/testing.d.ts',
      'dist/testing.d.ts.map',
      'dist/testing.js',
      'dist/testing.js.map',
      'package.json',
    ]);
  });

  it('names what its builds bundle, and carries the licence of each', () => {
    const bundled = new Map(
      packed.paths
        .filter((path) => path.endsWith('js.map'))
        .map((path) => {
          const { sources } = JSON.parse(readFileSync(join(PACKAGE, path), 'utf8')) as { readonly sources: string[] };
          const names = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? '');
          return [path.replace('.map', ''), [...new Set(names)].filter((name) => name !== '')];
        }),
    );
    const list = readFileSync(join(PACKAGE, 'THIRD_PARTY_LICENSES.md'), 'utf8');
    for (const [file, names] of bundled) {
      expect([file, list.includes(`\`${file}\``)]).toEqual([file, names.length > 0]);
      const banner = readFileSync(join(PACKAGE, file), 'utf8').startsWith('/*! Contains p-timeout: see');
      expect([file, banner]).toEqual([file, names.length > 0]);
    }
    const all = [...new Set([...bundled.values()].flat())];
    expect(all).toEqual(['p-timeout']);
    for (const name of all) {
      const folder = dirname(fileURLToPath(import.meta.resolve(name)));
      expect(list).toContain(readFileSync(join(folder, 'license'), 'utf8'));
    }
  });

  it('[F44] is loaded by import', () => {
    const script = "import * as root from 'mcp-dual-era'; console.log(Object.keys(root).sort().join())";
    expect(run('--input-type=module', '-e', script)).toBe(ROOT_NAMES.join());
  });

  it('[F44] is loaded by require, also where require cannot load ESM', () => {
    const flag = '--no-experimental-require-module';
    const flags = process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
    const script = "console.log(Object.keys(require('mcp-dual-era')).sort().join())";
    expect(run(...flags, '-e', script)).toBe(ROOT_NAMES.join());
  });

  it('has errors that both builds know as theirs', () => {
    const script = `
      import { createRequire } from 'node:module';
      const esm = await import('mcp-dual-era');
      const cjs = createRequire(process.cwd() + '/x.js')('mcp-dual-era');
      const error = new cjs.DualEraError('NOT_A_SERVER', 'x');
      console.log(esm.DualEraError.isInstance(error), error instanceof esm.DualEraError)`;
    expect(run('--input-type=module', '-e', script)).toBe('true false');
  });

  it('shares what it knows of servers and of runs between the two builds', () => {
    const script = `
      import { createRequire } from 'node:module';
      const esm = await import('mcp-dual-era');
      const cjs = createRequire(process.cwd() + '/x.js')('mcp-dual-era');
      const server = { connect: async () => undefined };
      esm.withInputRequiredShim(server);
      try { cjs.withInputRequiredShim(server) } catch (error) { console.log(error.code) }`;
    expect(run('--input-type=module', '-e', script)).toBe('ALREADY_WRAPPED');
  });

  it('has a command that sizes without echarts, and says how to come by it for a plot', () => {
    const flags = '--calls-per-second 2 --answer-time 20s --rounds 2 --round-timeout 120s --refused 1%'.split(' ');
    const size = (...args: string[]) => {
      const command = ['node_modules/mcp-dual-era/dist/bin.js', 'size', ...flags, ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, {
        cwd: packed.directory,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };
    expect(size()).toStrictEqual({ status: 0, stdout: expect.stringMatching(/^Slots +96\n/), stderr: '' });
    const how = 'npm install --save-dev echarts';
    const stderr = `mcp-dual-era size: --plot must find the package echarts, 5.5 or later: ${how}, got none\n`;
    expect(size('--plot', 'out.svg')).toStrictEqual({ status: 2, stdout: '', stderr });
  });

  it('plays modern clients with the engine, and says what to install where it is not', () => {
    const script = "{ request: { method: 'tools/call', params: { name: 'x' } } }";
    const body = `async ({ runOnBothEras }) => {
      const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
      const factory = () => {
        const server = new McpServer({ name: 'x', version: '1' });
        server.registerTool('x', {}, () => ({ content: [] }));
        return server;
      };
      return runOnBothEras(factory, ${script}).then(({ differences }) => String(differences.length), ({ message }) => message);
    }`;
    const esm = `import('mcp-dual-era/testing').then(${body}).then(console.log)`;
    const cjs = `(${body})(require('mcp-dual-era/testing')).then(console.log)`;
    const play = () => [run('-e', esm), run('-e', cjs)];
    const message = expect.stringMatching(
      /which is not installed: npm install --save-dev @modelcontextprotocol\/server$/,
    );
    expect(play()).toEqual([message, message]);
    const server = '@modelcontextprotocol/server';
    symlinkSync(join(PACKAGE, 'node_modules', server), join(packed.directory, 'node_modules', server));
    expect(play()).toEqual(['0', '0']);
  });

  it('[T3] needs the API of OpenTelemetry in the entry for it alone, and there in both builds', () => {
    const esm =
      "import('mcp-dual-era/otel').then((it) => Object.keys(it), ({ code }) => code).then(String).then(console.log)";
    const cjs =
      "try { console.log(String(Object.keys(require('mcp-dual-era/otel')))) } catch (e) { console.log(e.code) }";
    const load = () => [run('-e', esm), run('-e', cjs)];
    expect(load()).toEqual(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
    symlinkSync(join(PACKAGE, 'node_modules/@opentelemetry'), join(packed.directory, 'node_modules/@opentelemetry'));
    expect(load()).toEqual(['openTelemetry', 'openTelemetry']);
  });
});
