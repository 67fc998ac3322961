/**
 * Mutation testing: `pnpm mutation [core|state|handshake]`. What is committed is cloned, and mutated there; what the tests do not
 * notice is compared with survivors.json. Takes hours on two cores, less for a part.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PARTS, type Part, type Pass, strykerConfig } from './parts.ts';
import { type Report, unlisted, verdictOf } from './survivors.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEAST_SCORE = 90;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  throw new RangeError(`A part must be one of ${Object.keys(PARTS).join(', ')}, got ${unknown.join(', ')}`);
}
const parts = Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name));

const clone = mkdtempSync(join(tmpdir(), 'mutation-'));
const reports = fileURLToPath(new URL('reports', import.meta.url));
mkdirSync(reports, { recursive: true });
try {
  run('git', ['clone', '--quiet', ROOT, clone], ROOT);
  run('npx', ['-y', 'pnpm@12.4.2', 'install', '--frozen-lockfile'], clone);
  const results = parts.map(([name, part]) => mutate(name, part));
  const survivors = results.flatMap((report) => unlisted(report));
  for (const survivor of survivors) console.log(`Not in survivors.json: ${survivor}`);
  const verdict = verdictOf(results);
  console.log(verdict.text);
  process.exitCode = verdict.score >= LEAST_SCORE && survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(clone, { recursive: true, force: true });
}

/** The near tests first, which are quick; then all tests, for what those did not notice. */
function mutate(name: string, part: Part): Report {
  for (const pass of part.passes) {
    const config = join(clone, `${name}.json`);
    writeFileSync(config, JSON.stringify(strykerConfig(name, part, reports)));
    run('node', ['test/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config], clone, pass);
  }
  return JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8')) as Report;
}

function run(command: string, args: readonly string[], cwd: string, pass?: Pass): void {
  const env = pass === undefined ? {} : { TESTS: pass.tests.join(), ISOLATE: String(pass.isolate) };
  execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
}
