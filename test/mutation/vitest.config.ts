/**
 * What a mutant is held against: the tests that run in this process and are soon over, the closest ones first. TESTS names
 * the folders.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const conditions = ['@dual-era/source', ...defaultServerConditions.filter((condition) => condition !== 'module')];
const folders = (process.env['TESTS'] ?? '').split(',');

class ClosestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      folders.indexOf(relative(root, moduleId).split('/')[1] ?? '');
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: folders.map((folder) => `test/${folder}/*.test.ts`),
    exclude: [
      '**/node_modules/**',
      // These are about many calls, about chance, or about several processes.
      'test/core/sizing-{simulation,input}.test.ts',
      'test/era/{many-calls,stdin-end}.test.ts',
      'test/holds/{faults,load,serving,soak}.test.ts',
      'test/replay/{many-calls,stdio}.test.ts',
      'test/state/{builds,processes}.test.ts',
      'test/**/*.property.test.ts',
      // These are about what is said once in a process, or about how long something takes.
      'test/abuse/{state-secrets,state-secrets-modern}.test.ts',
      'test/era/{error-warning,round-timeout-warning}.test.ts',
      'test/state/constant-time*.test.ts',
    ],
    isolate: process.env['ISOLATE'] === 'true',
    sequence: { sequencer: ClosestFirst },
    // A mutant that makes the code slow is found by Stryker's own limit.
    testTimeout: 240_000,
    env: { TARGET: 'source' },
  },
});
