/** Measures one row, by name: `node --expose-gc --import tsx bench/row-process.ts one-round [--quick]`. */
import { rows } from './rows/index.ts';
import { report } from './support/in-process.ts';

const [name = '', ...flags] = process.argv.slice(2);
const load = rows[name];
if (load === undefined) throw new RangeError(`The row must be one of ${Object.keys(rows).join(', ')}, got ${name}`);
const { row } = await load();
report(await row({ isQuick: flags.includes('--quick') }));
// Held calls and open streams are not worth waiting for. Without a parent there is nothing left to flush either.
process.disconnect?.();
process.exitCode = 0;
setTimeout(() => process.exit(), 100).unref();
