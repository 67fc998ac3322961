/** Draws what one call looks like in both eras, out of a real run: `draw-sequences FILE.svg`. */
import { writeFileSync } from 'node:fs';
import { runExchange } from './exchange.ts';
import { createModernPerson, createPerson } from './person.ts';
import { drawSequences } from './sequence-svg.ts';
import { stdioServer } from './servers.ts';
import { mainSteps } from './steps.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: draw-sequences FILE.svg');

const visit = { story: '', steps: mainSteps.slice(0, 1) };
const older = { ...visit, name: 'older', server: stdioServer('handshake'), client: createPerson() };
const newer = { ...visit, name: 'newer', server: stdioServer('modern'), client: createModernPerson() };
const sequences = [];
for (const [title, exchange] of [
  ['A client up to 2025-11-25', older],
  ['A client on 2026-07-28', newer],
] as const) {
  const [outcome] = await runExchange(exchange);
  if (outcome?.isAsExpected !== true) throw new Error(`${title}: not the expected result`);
  sequences.push({ title, lines: outcome.lines });
}
writeFileSync(file, drawSequences(sequences));
