import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './support/count-reporter.ts';

// The suite imports the package by name. TARGET says what that name means: the TypeScript source, or the build.
const target = process.env['TARGET'] ?? 'source';
if (target !== 'source' && target !== 'dist') throw new RangeError(`TARGET must be source or dist, got ${target}`);
const conditions = [...(target === 'source' ? ['@dual-era/source'] : []), ...defaultServerConditions];

// These are about the packed build, whatever the suite runs on: once is enough.
const PACKED = ['test/contract/{bundle,consumer-types,consumer-zod,package}.test.ts', 'test/state/builds.test.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    // Internal files do not exist in the build: their tests run on the source only.
    exclude: [...configDefaults.exclude, ...(target === 'dist' ? ['test/**/*.source.test.ts'] : PACKED)],
    // A child process takes seconds to start on a busy machine of two cores.
    testTimeout: 30_000,
    env: { TARGET: target },
    reporters: ['default', new CountReporter()],
    coverage: {
      include: ['packages/shim/src/**'],
      reportsDirectory: 'test/coverage',
      reporter: [['text', { skipFull: true }]],
      thresholds: {
        'packages/shim/src/core/**': { lines: 100 },
        'packages/shim/src/forms/**': { lines: 100 },
        'packages/shim/src/handshake/**': { lines: 100 },
        'packages/shim/src/state/**': { lines: 100 },
      },
    },
  },
});
