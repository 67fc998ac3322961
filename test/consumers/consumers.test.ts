import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { read } from '../contract/quotes.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { asCommonJs, consumerProgram, PROGRAM_PRINTS, typedProgram } from './consumer.ts';
import { INSTALLS, installProject, NODES, type Project, TYPESCRIPTS } from './installs.ts';

const ENGINES = ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2', '@types/node@20.19.43'];
const MODULES = [
  ['ESM', 'mjs', (program: string) => program],
  ['CJS', 'cjs', asCommonJs],
] as const;

/** The first example of the README. */
const EXAMPLE = /#region start\n([\s\S]*?)\/\/ #endregion start/.exec(
  read('packages/examples/src/guide/start.ts'),
)?.[1];

describe.each(INSTALLS)('in a project with SDK v1 $sdk and zod $zod', (versions) => {
  const zod = versions.zod.startsWith('3') ? 'zod/v4' : 'zod';
  let project: Project;
  beforeAll(() => {
    project = installProject(versions, ENGINES);
  }, 120_000);
  afterAll(() => project?.remove());

  describe.each(NODES)('on Node.js %s', (version, node) => {
    // Where npm has no binary for this platform, the case is named as skipped.
    it.skipIf(node === undefined).each(MODULES)(`${version}: asks on both eras, as %s`, (_name, extension, write) => {
      const file = join(project.directory, `program.${extension}`);
      writeFileSync(file, write(consumerProgram(zod)));
      const { stdout, stderr } = spawnSync(node ?? '', [file], { cwd: project.directory, encoding: 'utf8' });
      expect([JSON.parse(stdout || '{}'), stderr.replaceAll(/^\(node.*\n/gm, '')]).toEqual([
        PROGRAM_PRINTS,
        expect.not.stringContaining('Error'),
      ]);
    });
  });

  it.each(MODULES)('the first example of the README works, as %s', async (_name, extension, write) => {
    const file = join(project.directory, `start.${extension}`);
    writeFileSync(file, write((EXAMPLE ?? '').replace("from 'zod'", `from '${zod}'`)));
    const { peer, child } = spawnServer(file);
    onTestFinished(() => void child.kill('SIGKILL'));
    await peer.handshake({ capabilities: { elicitation: {} } });
    await peer.callTool('delete_branch', { branch: 'old' });
    await peer.answer(await peer.next(), { action: 'accept', content: { confirmed: true } });
    expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text: 'Deleted old.' }] });
  });

  it.each(TYPESCRIPTS)(
    'the types check with TypeScript %s',
    (_version, tsc) => {
      for (const extension of ['mts', 'cts']) {
        writeFileSync(join(project.directory, `typed.${extension}`), typedProgram(zod));
      }
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--exactOptionalPropertyTypes', '--target', 'es2022'];
      const modules = ['--module', 'node16', '--moduleResolution', 'node16', '--types', 'node'];
      const run = (): string =>
        execFileSync(process.execPath, [tsc, ...options, ...modules, 'typed.mts', 'typed.cts'], {
          cwd: project.directory,
          encoding: 'utf8',
        });
      expect(run()).toBe('');
    },
    60_000,
  );
});
