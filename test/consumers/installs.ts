/** Projects of somebody else's: empty folders into which npm has installed the packed package beside exact versions. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE } from '../support/packed.ts';

export interface Versions {
  readonly sdk: string;
  readonly zod: string;
}

/** The oldest, the middle and the newest of what is supported. */
export const INSTALLS: readonly Versions[] = [
  { sdk: '1.25.0', zod: '3.25.76' },
  { sdk: '1.28.0', zod: '4.0.0' },
  { sdk: '1.32.2', zod: '4.6.7' },
];

export interface Project {
  readonly directory: string;
  remove(): void;
}

let tarball: string | undefined;

/** Packs the build, as `npm publish` would; `pnpm build` comes first. */
function pack(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-pack-'));
  const output = npm(PACKAGE, 'pack', '--json', '--pack-destination', directory);
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return join(directory, filename);
}

/** @param more - further packages, as npm names them. */
export function installProject({ sdk, zod }: Versions, more: readonly string[] = []): Project {
  tarball ??= pack();
  const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-project-'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'commonjs' }));
  const packages = [tarball, `@modelcontextprotocol/sdk@${sdk}`, `zod@${zod}`, ...more];
  npm(directory, 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packages);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

function npm(cwd: string, ...args: string[]): string {
  // pnpm has told npm of settings of its own, which npm warns of.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

const binary = (name: string): string =>
  fileURLToPath(new URL(`../matrix/node_modules/${name}/bin/node`, import.meta.url));

/** By its version: this very Node.js, and those that npm has as packages for this platform. */
export const NODES: readonly (readonly [version: string, path: string | undefined])[] = [
  [`${process.versions.node} (this one)`, process.execPath],
  ...['22', '24'].map((version) => {
    const path = binary(`node-${version}`);
    return [version, existsSync(path) ? path : undefined] as const;
  }),
];

export const TYPESCRIPTS = ['5-5', '5-9', '6-0'].map(
  (version) =>
    [
      version.replace('-', '.'),
      fileURLToPath(new URL(`../matrix/node_modules/typescript-${version}/lib/tsc.js`, import.meta.url)),
    ] as const,
);
