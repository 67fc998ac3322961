import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './support/count-reporter.ts';

// The suite imports the package by name. TARGET says what that name means: the TypeScript source, or the build.
const target = process.env['TARGET'] ?? 'source';
if (target !== 'source' && target !== 'dist') throw new RangeError(`TARGET must be source or dist, got ${target}`);
// As Node.js has them: what is under `module` is for bundlers, and Node.js may not be able to load it.
const nodeConditions = defaultServerConditions.filter((condition) => condition !== 'module');
const conditions = [...(target === 'source' ? ['@dual-era/source'] : []), ...nodeConditions];

// What takes a process for each case, or is about the packed build anyway, runs on the build alone: what users install.
const BUILD_ONLY = [
  'test/contract/{bundle,consumer-types,consumer-zod,missing-peers,package}.test.ts',
  'test/holds/{load,soak}.test.ts',
  'test/consumers/*.test.ts',
  'test/state/builds.test.ts',
  'test/interop/{conformance,conformance-client,sdk-v1-examples}.test.ts',
  'test/interop/{examples,existing-examples,host-examples,serving-examples,telemetry-example,worker-pools}.test.ts',
];
// Behaviour in every detail is checked on the source, which is measured for coverage. On the build, what crosses it is
// run again: the wire vectors, every client and example, the abuse, the safety of the serving entry, the state.
const SOURCE_ONLY = ['test/**/*.source.test.ts', 'test/{core,era,replay}/**', 'test/serve/{modern,session}-*.test.ts'];

// These replace modules, or are about what is said or counted once in a process: each has one of its own. All others share theirs,
// since loading the SDKs anew for each file takes longer than most of the tests.
const ALONE = [
  'test/abuse/{state-secrets,state-secrets-modern}.test.ts',
  'test/era/{error-warning,round-timeout-warning}.test.ts',
  'test/serve/{modern-ephemeral-key,safety-factory-warning,safety-key,safety-leaks}.test.ts',
  'test/holds/{load,soak}.test.ts',
  'test/interop/{serving-examples,worker-pools}.test.ts',
  'test/state/constant-time.source.test.ts',
];
const exclude = [...configDefaults.exclude, ...(target === 'dist' ? SOURCE_ONLY : BUILD_ONLY)];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...exclude, ...ALONE], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude } },
    ],
    // A child process takes seconds to start on a busy machine of two cores.
    testTimeout: 90_000,
    // Of two cores vitest would use one, although most tests wait for sockets and processes.
    maxWorkers: 2,
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
        'packages/shim/src/host/**': { lines: 100 },
        // All but the validator that is never asked.
        'packages/shim/src/modern/**': { lines: 99.8 },
        'packages/shim/src/serving/**': { lines: 100 },
        'packages/shim/src/state/**': { lines: 100 },
      },
    },
  },
});
