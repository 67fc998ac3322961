/**
 * What a mutant is held against: the tests that run in this process and are soon over, the closest ones first. TESTS says how
 * their paths begin, WITHOUT how those begin that are left out.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const conditions = ['@dual-era/source', ...defaultServerConditions.filter((condition) => condition !== 'module')];
const starts = (name: string): string[] => (process.env[name] ?? '').split(',').filter((start) => start !== '');
const tests = starts('TESTS');

class ClosestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      tests.findIndex((start) => relative(root, moduleId).startsWith(`test/${start}`));
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: tests.map((start) => `test/${start}*.test.ts`),
    exclude: [
      '**/node_modules/**',
      // These are about many calls, about chance, or about several processes.
      'test/core/sizing-simulation.test.ts',
      'test/era/{many-calls,stdin-end}.test.ts',
      'test/holds/{faults,load,serving,soak}.test.ts',
      'test/replay/{many-calls,stdio}.test.ts',
      'test/state/{builds,processes}.test.ts',
      'test/**/*.property.test.ts',
      // These are about what is said once in a process, or about how long something takes.
      'test/abuse/{state-secrets,state-secrets-modern}.test.ts',
      'test/era/{error-warning,round-timeout-warning}.test.ts',
      'test/state/constant-time*.test.ts',
      ...starts('WITHOUT').map((start) => `test/${start}*.test.ts`),
    ],
    setupFiles: ['test/mutation/unhandled.ts'],
    isolate: process.env['ISOLATE'] === 'true',
    sequence: { sequencer: ClosestFirst },
    // Most mutants that are noticed by a time limit leave a question without an answer, which shows in the first test.
    testTimeout: 6_000,
    env: { TARGET: 'source' },
  },
});
