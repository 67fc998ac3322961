import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the published package. */
export const PACKAGE = fileURLToPath(new URL('../../packages/shim', import.meta.url));

const TEST_MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));

export interface Packed {
  /** The paths in the tarball. */
  readonly paths: readonly string[];
  /** A folder of a consumer, with the package unpacked in its node_modules. */
  readonly directory: string;
  remove(): void;
}

/**
 * Packs what is built, as `npm publish` would, and unpacks it for a consumer; `pnpm build` comes first.
 *
 * @param zod - the folder of the zod that the consumer has.
 */
export function packForConsumer(zod = join(TEST_MODULES, 'zod')): Packed {
  if (!existsSync(join(PACKAGE, 'dist/index.js'))) throw new Error('There is no build to pack: run pnpm build');
  const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-'));
  const npm = ['pack', '--json', '--pack-destination', directory];
  const output = execFileSync('npm', npm, { cwd: PACKAGE, encoding: 'utf8', stdio: 'pipe' });
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  const modules = join(directory, 'node_modules');
  mkdirSync(join(modules, '@modelcontextprotocol'), { recursive: true });
  execFileSync('tar', ['-xzf', join(directory, filename), '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'mcp-dual-era'));
  symlinkSync(join(PACKAGE, 'node_modules/p-timeout'), join(modules, 'p-timeout'));
  symlinkSync(zod, join(modules, 'zod'));
  for (const name of ['@modelcontextprotocol/sdk', '@types'])
    symlinkSync(join(TEST_MODULES, name), join(modules, name));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  return { paths: files.map(({ path }) => path), directory, remove };
}
