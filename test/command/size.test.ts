import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sizeWorkerPool } from 'mcp-dual-era';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { STATS } from './metrics.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-size-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const FLAGS = '--calls-per-second 2 --answer-time 20s --rounds 2 --round-timeout 120s --refused 1%'.split(' ');
const TABLE = `Slots                               96
Refused at those slots              0.9 %
Offered load                        79.8 calls held at once
Mean hold                           39.9 s
Worst-case hold                     16 min
Slots for 25 % more calls           117
Slots if people take twice as long  172
`;
const INPUT = {
  callsPerSecond: 2,
  rounds: 2,
  answerTime: { mean: 20_000, shape: 'exponential' },
  roundTimeout: 120_000,
  target: { refused: 0.01 },
} as const;

const size = (...args: string[]) => runCommand(['size', ...args]);

function fileOf(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('the command mcp-dual-era size', () => {
  it('prints a table for people', () => {
    expect(size(...FLAGS)).toStrictEqual({ status: 0, stdout: TABLE, stderr: '' });
  });

  it('prints what sizeWorkerPool returns as JSON, for programs', () => {
    const { status, stdout, stderr } = size(...FLAGS, '--json');
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toStrictEqual(sizeWorkerPool(INPUT));
  });

  it('says how it is used', () => {
    const { status, stdout, stderr } = size('--help');
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' });
    for (const flag of ['--calls-per-second', '--answer-p95', '--delayed', '--from', '--plot']) {
      expect(stdout).toContain(`  ${flag} `);
    }
  });

  it('prints warnings below the table', () => {
    const { stdout } = size(...FLAGS, '--request-limit', '5m');
    expect(stdout).toBe(
      `${TABLE}Warning: The worst-case hold (maxRounds x roundTimeout, 960000 ms) is above requestLimit (300000 ms): it may be cut off.\n`,
    );
  });

  it.each([
    ['holds.stats()', STATS],
    ['handler.stats()', { sessions: 4, holds: STATS }],
  ])('reads what was measured from the JSON of %s', (name, content) => {
    const { status, stdout, stderr } = size('--from', fileOf(`${name}.json`, content), '--refused', '0.01', '--json');
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' });
    const answerTime = { histogram: STATS.answerTimes };
    // Those that were refused count as calls: 2 per second.
    expect(JSON.parse(stdout)).toStrictEqual(
      sizeWorkerPool({ callsPerSecond: 2, rounds: 2, answerTime, target: { refused: 0.01 } }),
    );
  });

  it('ends with 2 and one line for a mistake', () => {
    const stderr = 'mcp-dual-era size: --rounds must be a number above 0, got "none"\n';
    expect(size(...FLAGS.with(5, 'none'))).toStrictEqual({ status: 2, stdout: '', stderr });
  });
});

describe('the plot of the command', () => {
  const plot = (name: string, ...args: string[]) => {
    const path = join(directory, name);
    const run = size(...args, '--plot', path);
    return { ...run, svg: run.status === 0 ? readFileSync(path, 'utf8') : '' };
  };
  const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  it('is an SVG with the slots, the share there and the target, beside the table', () => {
    const { status, stdout, stderr, svg } = plot('refused.svg', ...FLAGS);
    expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout: TABLE, stderr: '' });
    expectBalanced(svg);
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining(['96 slots: 0.9 %', 'target 1 %', 'slots', 'calls refused', '0.1 %']),
    );
    expect(textsOf(svg)).toContain('Slots for 79.8 calls held at once on average');
  });

  it('is the same each time', () => {
    expect(plot('first.svg', ...FLAGS).svg).toBe(plot('second.svg', ...FLAGS, '--json').svg);
  });

  it.each([
    [
      'calls that wait',
      ['--calls-per-second', '2', '--answer-time', '1m', '--delayed', '5%'],
      /^14\d slots: 4\.\d+ %$/,
    ],
    [
      'next to no calls',
      ['--calls-per-second', '0.0001', '--answer-time', '20s', '--refused', '1%'],
      /^1 slot: 0\.2 %$/,
    ],
  ])('can be made of %s', (name, args, label) => {
    const { stderr, svg } = plot(`${name}.svg`, ...args);
    expect(stderr).toBe('');
    expectBalanced(svg);
    expect(textsOf(svg)).toContainEqual(expect.stringMatching(label));
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('stays small, however many slots there are', () => {
    const { svg } = plot('large.svg', '--calls-per-second', '50000', '--answer-time', '20s', '--refused', '1%');
    expect(svg.length).toBeLessThan(40_000);
    expect(textsOf(svg)).toContain('990099 slots: 1 %');
  });

  it('says so when it cannot be written', () => {
    const path = join(directory, 'none', 'out.svg');
    const { status, stdout, stderr } = size(...FLAGS, '--plot', path);
    expect({ status, stdout }).toStrictEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^mcp-dual-era size: --plot must be a file that can be written, got ".+" \(ENOENT\)\n$/);
  });
});

/** Every element that opens closes, in order. */
function expectBalanced(svg: string): void {
  const open: string[] = [];
  const elements = svg.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  for (const [, close, name = '', self] of elements.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/g)) {
    if (close === '/') expect(open.pop()).toBe(name);
    else if (self === '') open.push(name);
  }
  expect(open).toStrictEqual([]);
  expect(elements).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(elements).toMatch(/<\/svg>$/);
}
