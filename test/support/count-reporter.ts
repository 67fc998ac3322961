import type { Reporter, TestModule } from 'vitest/node';

/**
 * Makes `N passed, N failed, N skipped` the last line of a run. Whatever fails outside a test (a file that does not
 * load, a hook, an unhandled rejection) counts as a failure of its own.
 */
export class CountReporter implements Reporter {
  #line = '';

  onInit(): void {
    // The coverage table comes after every reporter: only the end of the process is behind it.
    process.once('exit', () => process.stdout.write(`${this.#line}\n`));
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const testModule of testModules) {
      count.failed += testModule.errors().length;
      for (const suite of testModule.children.allSuites()) count.failed += suite.errors().length;
      for (const test of testModule.children.allTests()) count[test.result().state] += 1;
    }
    this.#line = `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`;
  }
}
