/**
 * Mutation testing: `pnpm mutation [--near] [--alive] [core|state|handshake|core/form ...]`. What is committed is cloned, and
 * mutated there; what the tests do not notice is compared with survivors.json. Takes hours on two cores, less for some of
 * the parts: an argument is how their names begin. `--near` leaves it at the closest tests; `--alive` takes what lived in the
 * last run and is not in survivors.json, and needs its sources unchanged.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ALL, PARTS, type Part, SLOW } from './parts.ts';
import { type Mutant, type Mutated, merged, type Report, rangesOf } from './report.ts';
import { stryker, type Tests } from './stryker.ts';
import { isListed, unlisted, verdictOf } from './survivors.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORTS = fileURLToPath(new URL('reports', import.meta.url));
const LEAST_SCORE = 90;

const { values: flags, positionals } = parseArgs({
  options: { near: { type: 'boolean', default: false }, alive: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const parts = Object.entries(PARTS).filter(
  ([name]) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
);
if (parts.length === 0)
  throw new RangeError(`Part names begin with ${Object.keys(PARTS).join(', ')}; got ${positionals.join(', ')}`);

const clone = mkdtempSync(join(tmpdir(), 'mutation-'));
mkdirSync(REPORTS, { recursive: true });
try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  execFileSync('npx', ['-y', 'pnpm@12.4.2', 'install', '--frozen-lockfile'], { cwd: clone, stdio: 'inherit' });
  const results = parts.map(([name, part]) => mutate(name, part));
  const survivors = results.flatMap((report) => unlisted(report));
  for (const survivor of survivors) console.log(`Not in survivors.json: ${survivor}`);
  const verdict = verdictOf(results);
  console.log(verdict.text);
  process.exitCode = verdict.score >= LEAST_SCORE && survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(clone, { recursive: true, force: true });
}

/** The closest tests first; then all, for what those did not notice, but for what only a fresh module could show. */
function mutate(name: string, { files, tests }: Part): Report {
  const file = join(REPORTS, `${name.replaceAll('/', '-')}.json`);
  const keep = (report: Report): Report => {
    writeFileSync(file, JSON.stringify(report));
    return report;
  };
  // Of the few that are left, none is too slow.
  const near = { tests, without: flags.alive ? [] : SLOW, isolate: false };
  const first = flags.alive
    ? keep(again(JSON.parse(readFileSync(file, 'utf8')) as Report, near))
    : keep(
        stryker(
          clone,
          files.map((start) => `packages/shim/src/${start}**`),
          near,
        ),
      );
  return flags.near
    ? first
    : keep(again(first, { tests: ALL, without: [], isolate: true }, (mutant) => mutant.static !== true));
}

/** What lives in `report` and is not known to, against `tests`. */
function again(report: Report, tests: Tests, wanted: (mutant: Mutant) => boolean = () => true): Report {
  const isWanted = (mutant: Mutant, where: Mutated): boolean => wanted(mutant) && !isListed(mutant, where);
  const ranges = rangesOf(report, isWanted);
  return ranges.length === 0 ? report : merged(report, stryker(clone, ranges, tests));
}
