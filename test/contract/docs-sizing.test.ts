import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSizedHolds, resizedSlots } from 'mcp-dual-era-examples/guide/sizing.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../support/command.ts';
import { drawPlots, read } from './quotes.ts';

const page = read('docs/sizing.md');
const source = (file: string): string => read(`packages/shim/src/${file}`);
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The cells of the row of each option. */
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    rest.split('|').map((cell) => cell.trim()),
  ]),
);

it('has the plot that the command draws', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-plot-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  drawPlots(page, directory);
  expect(read('docs/images/sizing.svg')).toBe(readFileSync(join(directory, 'sizing.svg'), 'utf8'));
});

it('has a row for every option, with its default', () => {
  const input =
    /export interface PoolInput \{([\s\S]*?)\n\}/.exec(source('core/sizing/size-worker-pool.ts'))?.[1] ?? '';
  expect([...rows.keys()]).toEqual(namesIn(input, /readonly (\w+)\??:/g).filter((name) => rows.has(name)));
  expect(rows.size).toBe(namesIn(input, /^ {2}readonly (\w+)\??:/gm).length);
  for (const name of ['roundTimeout', 'maxRounds', 'requestLimit']) {
    const stated = new RegExp(`@defaultValue ([^*]+?) \\*/\\n\\s*readonly ${name}\\?`).exec(input)?.[1];
    expect(rows.get(name)?.[2]?.replaceAll('`', '')).toBe(stated?.replaceAll(' ', ''));
  }
});

it('has every flag, and no other', () => {
  const { stdout } = runCommand(['size', '--help']);
  const known = namesIn(stdout, /^ {2}(--[\w-]+)/gm).filter((flag) => flag !== '--help');
  expect(known.length).toBeGreaterThan(10);
  const named = new Set(namesIn(page, /(?<![\w-])(--[a-z][\w-]*)/g));
  expect([...named].sort()).toEqual(known.sort());
});

it('tells the limits that the code has', () => {
  const most = Number(
    /LARGEST_LOAD = ([\d_]+);/.exec(source('core/sizing/size-worker-pool.ts'))?.[1]?.replaceAll('_', ''),
  );
  expect(page).toContain(`up to ${most} calls at once`);
  expect(page).toContain(`at most ${Math.exp(1.6448536269514722 ** 2 / 2).toFixed(3)} times it`);
});

it('has an example that makes a pool of the slots in the output', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const slots = /^Slots +(\d+)$/m.exec(page)?.[1];
  expect(slots).toBe('96');
  expect(createSizedHolds().stats()).toMatchObject({ held: 0, calls: 0 });
  expect(said).not.toHaveBeenCalled();
});

it('has an example that sizes from the figures of a pool', () => {
  const quantiles = Array.from({ length: 201 }, (_, index) => 10_000 + 100 * index);
  const answerTimes = { count: 2_376, mean: 20_000, min: 10_000, max: 30_000, quantiles };
  const stats = { calls: 1_188, refused: 12, elapsedMs: 600_000, answerTimes };
  expect(resizedSlots({ stats: () => stats } as never)).toBe(96);
});

it('says what is said of a pool from which nothing was measured', () => {
  expect(() => resizedSlots(createSizedHolds())).toThrow(/, got (0|NaN)$/);
});
