/** What is mutated, and what each of its mutants is held against. */
export interface Pass {
  /** Folders of the suite. */
  readonly tests: readonly string[];
  /** Whether each test file has a thread of its own: the record of what covers what grows with all that share one. */
  readonly isolate: boolean;
}

export interface Part {
  readonly folders: readonly string[];
  readonly passes: readonly Pass[];
}

const ALL: Pass = { tests: ['core', 'state', 'holds', 'era', 'abuse', 'replay', 'spec'], isolate: true };

export const PARTS: Readonly<Record<string, Part>> = {
  core: { folders: ['core'], passes: [{ tests: ['core', 'holds'], isolate: false }, ALL] },
  state: { folders: ['state'], passes: [{ tests: ['state'], isolate: false }, ALL] },
  handshake: { folders: ['handshake'], passes: [{ tests: ['era', 'holds'], isolate: false }, ALL] },
};

/** Written for Stryker's `run`, in the root of the clone: it mutates nothing outside of its working directory. */
export function strykerConfig(name: string, { folders }: Part, reports: string): object {
  return {
    testRunner: 'vitest',
    plugins: ['./test/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: folders.map((folder) => `packages/shim/src/${folder}/**/*.ts`),
    inPlace: true,
    disableTypeChecks: true,
    coverageAnalysis: 'perTest',
    // What runs once as a module is loaded is held against all tests of the pass, each time in a fresh module.
    ignoreStatic: false,
    incremental: true,
    incrementalFile: `${reports}/${name}-incremental.json`,
    testRunnerNodeArgs: ['--max-old-space-size=9000'],
    dryRunTimeoutMinutes: 30,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `${reports}/${name}.json` },
  };
}
