import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { INSTALLS, NODES, TYPESCRIPTS } from '../consumers/installs.ts';
import { pathOf, read } from './quotes.ts';

const rows = new Map(
  [...read('docs/compatibility.md').matchAll(/^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, what = '', versions = '']) => [what, versions],
  ),
);
const manifest = JSON.parse(read('test/package.json')) as { devDependencies: Record<string, string> };
const versionOf = (name: string): string => manifest.devDependencies[name] ?? '';

describe('docs/compatibility.md', () => {
  it('names the versions that projects are made of', () => {
    expect(rows.get('SDK v1')).toBe(INSTALLS.map(({ sdk }) => sdk).join(', '));
    expect(rows.get('zod')?.replace(' (`zod/v4`)', '')).toBe(INSTALLS.map(({ zod }) => zod).join(', '));
    expect(rows.get('TypeScript')).toBe(TYPESCRIPTS.map(([version]) => version).join(', '));
    expect(rows.get('Node.js')).toBe(['20', ...NODES.slice(1).map(([version]) => version)].join(', '));
  });

  it('has the newest of them be what the suite runs on', () => {
    expect(INSTALLS.at(-1)).toEqual({ sdk: versionOf('@modelcontextprotocol/sdk'), zod: versionOf('zod') });
    expect(INSTALLS[0]?.sdk).toBe(versionOf('sdk-v1-oldest').split('@').at(-1));
  });

  it('names the versions of SDK v2 and the clients of Redis that the suite runs on', () => {
    const names = ['server', 'client', 'node'].map((name) => `${name} ${versionOf(`@modelcontextprotocol/${name}`)}`);
    expect(rows.get('SDK v2')).toBe(names.join(', '));
    const redis = ['redis-v4', 'redis', 'redis-v6'].map((name) => /(\d+)\.\d+\.\d+$/.exec(versionOf(name))?.[1]);
    expect(rows.get('Redis clients')).toBe(redis.join(', '));
  });

  it('names the revisions that there are schemas of, from the oldest that SDK v1 speaks', () => {
    const { SUPPORTED_PROTOCOL_VERSIONS } = createRequire(import.meta.url)('@modelcontextprotocol/sdk/types.js') as {
      SUPPORTED_PROTOCOL_VERSIONS: string[];
    };
    const told = rows.get('revisions')?.split(', ') ?? [];
    for (const revision of told.slice(0, -1)) expect(SUPPORTED_PROTOCOL_VERSIONS).toContain(revision);
    const schemas = readdirSync(pathOf('test/spec/schemas')).join(' ');
    expect(schemas).toContain(told.at(-1));
  });
});
