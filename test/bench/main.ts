/**
 * The speed and size that the contract promises, measured against the build: `pnpm bench [--quick] [--json FILE]`.
 *
 * Figures are ratios within one run, so that a machine's mood falls on both sides. A missed bound is reported, not an
 * error; a contender that answers wrongly is one.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rows } from './rows/index.ts';
import { type Figure, isReached } from './support/figure.ts';
import { inProcess } from './support/in-process.ts';
import { tableOf } from './support/table.ts';

const ROW_PROCESS = new URL('./row-process.ts', import.meta.url);

const { values, positionals } = parseArgs({
  // pnpm hands on the `--` of `pnpm bench -- --quick`.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { quick: { type: 'boolean' }, json: { type: 'string' } },
  allowPositionals: true,
});
const isQuick = values.quick ?? process.env['BENCH_QUICK'] === '1';
const names = positionals.length > 0 ? positionals : Object.keys(rows);

const figures: Figure[] = [];
for (const name of names) {
  process.stderr.write(`measuring ${name}\n`);
  figures.push(...(await inProcess<Figure[]>(ROW_PROCESS, isQuick ? [name, '--quick'] : [name])));
}

const machine = {
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
  cores: cpus().length,
  node: process.version,
};
const missed = figures.filter((figure) => !isReached(figure));
console.log(tableOf(figures));
console.log(`\n${machine.date}, ${machine.cores} x ${machine.cpu}, Node.js ${machine.node}`);
if (isQuick) console.log('A quick run: too short to trust a close figure.');
console.log(missed.length === 0 ? 'Every bound is reached.' : `${missed.length} of ${figures.length} bounds MISSED.`);

if (values.json !== undefined) {
  const file = resolve(process.env['INIT_CWD'] ?? '.', values.json);
  writeFileSync(file, `${JSON.stringify({ machine, isQuick, figures }, undefined, 2)}\n`);
}
