/** One run of Stryker in a clone: it mutates nothing outside of its working directory. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';

/** What the mutants are held against: how the paths of the tests begin, and how those begin that are left out. */
export interface Tests {
  readonly tests: readonly string[];
  readonly without: readonly string[];
  /** Whether each test file has a thread of its own: the record of what covers what grows with all that share one. */
  readonly isolate: boolean;
}

export function stryker(clone: string, mutate: readonly string[], { tests, without, isolate }: Tests): Report {
  const [config, fileName] = [join(clone, 'stryker.json'), join(clone, 'mutation.json')];
  writeFileSync(config, JSON.stringify({ ...CONFIG, mutate, jsonReporter: { fileName } }));
  const env = { ...process.env, TESTS: tests.join(), WITHOUT: without.join(), ISOLATE: String(isolate) };
  const command = ['test/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config];
  execFileSync('node', command, { cwd: clone, stdio: 'inherit', env });
  return JSON.parse(readFileSync(fileName, 'utf8')) as Report;
}

const CONFIG = {
  testRunner: 'vitest',
  plugins: ['./test/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  inPlace: true,
  disableTypeChecks: true,
  coverageAnalysis: 'perTest',
  // What runs once as a module is loaded is held against all tests of the run, each time in a fresh module.
  ignoreStatic: false,
  testRunnerNodeArgs: ['--max-old-space-size=9000'],
  dryRunTimeoutMinutes: 30,
  reporters: ['json', 'progress-append-only'],
};
