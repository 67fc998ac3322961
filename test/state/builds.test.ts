import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Packed, packForConsumer } from '../support/packed.ts';
import { KEY } from './sealing.ts';

// About the build, whatever this suite runs on: run `pnpm build` first.
describe('[Q9c] the packed package', () => {
  let packed: Packed;
  beforeAll(() => {
    packed = packForConsumer();
  }, 60_000);
  afterAll(() => packed?.remove());

  const run = (body: string): string => {
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(process.cwd() + '/x.js');
      const [esm, cjs] = [await import('mcp-dual-era'), require('mcp-dual-era')];
      const [keys, call] = [${JSON.stringify(KEY)}, { method: 'tools/call', params: { name: 'deploy' } }];
      ${body}`;
    const args = ['--input-type=module', '-e', script];
    return execFileSync(process.execPath, args, { cwd: packed.directory, encoding: 'utf8', stdio: 'pipe' }).trim();
  };

  it.each([
    ['a codec of the CJS build', 'cjs', 'esm', false],
    ['a codec of the ESM build', 'esm', 'cjs', false],
    ['an encrypting codec of the CJS build', 'cjs', 'esm', true],
    ['an encrypting codec of the ESM build', 'esm', 'cjs', true],
  ])('opens with one build what the other sealed: %s', (_name, sealing, opening, encrypt) => {
    const script = `
      const state = ${sealing}.createRequestStateCodec({ keys, encrypt: ${encrypt} }).mint({ step: 1 }, call);
      console.log(JSON.stringify(${opening}.createRequestStateCodec({ keys }).verify(state, call)));`;
    expect(run(script)).toBe('{"step":1}');
  });

  it.each([
    ['cjs', 'esm'],
    ['esm', 'cjs'],
  ])(
    'uses a single-use codec of one build (%s) in a server of the other (%s) without using a state up',
    (codec, shim) => {
      const script = `
      const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
      const { InMemoryTransport } = require('@modelcontextprotocol/sdk/inMemory.js');
      let used = 0;
      const singleUse = { consume: async () => { used += 1; return true; } };
      const requestState = ${codec}.createRequestStateCodec({ keys, singleUse });
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('t', {}, async (extra) => {
        const context = ${shim}.inputContext(extra);
        if (context.round === 0) return ${shim}.inputRequired({ requestState: context.mintRequestState({ step: 1 }) });
        return { content: [{ type: 'text', text: JSON.stringify(context.requestState()) }] };
      });
      ${shim}.withInputRequiredShim(server, { requestState });
      const [near, far] = InMemoryTransport.createLinkedPair();
      const answered = new Promise((resolve) => { near.onmessage = (message) => message.id === 2 && resolve(message); });
      await near.start();
      await server.connect(far);
      const clientInfo = { name: 'c', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      await near.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await near.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 't', arguments: {} } });
      console.log((await answered).result.content[0].text, used);`;
      expect(run(script)).toBe('{"step":1} 0');
    },
  );

  it.each(['import', 'require'])('has a Redis store to %s', (way) => {
    const loaded = way === 'import' ? "await import('mcp-dual-era/redis')" : "require('mcp-dual-era/redis')";
    const script = `
      const { redisSingleUseStore, ...others } = ${loaded};
      const commands = [];
      const store = redisSingleUseStore({ set: async (...args) => { commands.push(args); return 'OK'; } });
      console.log(await store.consume('id', 0), JSON.stringify(commands), Object.keys(others).length);`;
    expect(run(script)).toBe('true [["mcp-dual-era:state:id","1",{"NX":true,"PX":60000}]] 0');
  });

  it('has the command that prints a key', () => {
    const folder = join(packed.directory, 'node_modules/mcp-dual-era');
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(bin).toStrictEqual({ 'mcp-dual-era': './dist/bin.js' });
    const file = join(folder, bin['mcp-dual-era']);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(execFileSync(process.execPath, [file, 'key'], { encoding: 'utf8' })).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  });
});
