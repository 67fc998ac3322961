import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sizeWorkerPool } from 'mcp-dual-era';
import { confidenceInterval } from 'mcp-dual-era-examples/pool/interval.ts';
import { readOptions } from 'mcp-dual-era-examples/pool/options.ts';
import { playOnPaper } from 'mcp-dual-era-examples/pool/play.ts';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { read } from '../contract/quotes.ts';
import { nodeArgs } from '../support/child.ts';

const MAIN = fileURLToPath(import.meta.resolve('mcp-dual-era-examples/pool/main.ts'));
const page = read('docs/worker-pools.md');

// Processes that start processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

// Its workers end with it.
const started = new Set<ChildProcess>();
afterAll(() => started.forEach((child) => void child.kill('SIGKILL')));

/** Runs the example until its pool stands; `ended` tells how it ends, and what it has printed. */
async function startPool(...args: string[]) {
  // In a group of its own, which can be sent a signal as a whole.
  const child = spawn(process.execPath, [...nodeArgs(MAIN), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  started.add(child);
  const output: string[] = [];
  const ended = Promise.all([once(child, 'exit'), once(child, 'close')]).then(([[code, signal]]) => ({ code, signal }));
  const errors = createInterface({ input: child.stderr });
  errors.on('line', (line) => output.push(line));
  const pids = await new Promise<number[]>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      if (line.startsWith('Processes: ')) resolve(line.split(' ').slice(1).map(Number));
    });
    void ended.then(() => resolve([]));
  });
  return { child, pids, output, ended };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function areGone(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 100 && pids.some(isRunning); tries += 1) await setTimeout(50);
  return !pids.some(isRunning);
}

describe('the example of a worker pool', () => {
  it('refuses as many calls as predicted, says so, and leaves no process behind', async () => {
    // Of the calls of this seed, about as many are refused on paper as are to be expected.
    const pool = await startPool('--seconds', '6', '--calls-per-second', '8', '--seed', '10');
    const end = await pool.ended;
    expect(end, pool.output.join('\n')).toEqual({ code: 0, signal: null });
    expect(pool.pids).toHaveLength(7);
    expect(await areGone(pool.pids)).toBe(true);
    const rowOf = (name: string): string[] => {
      const line = pool.output.find((printed) => printed.trim().startsWith(name)) ?? '';
      return line.trim().slice(name.length).trim().split(/ {2,}/);
    };
    expect(rowOf('Slots')).toEqual(['7', '7']);
    expect(rowOf('Offered load')).toEqual(['3.20', expect.stringMatching(/^\d\.\d\d$/)]);
    expect(rowOf('Mean hold')).toEqual(['400 ms', expect.stringMatching(/^\d+ ms$/)]);
    expect(rowOf('Refused')).toEqual(['2.83 %', expect.stringMatching(/^\d+\.\d\d %$/)]);
    expect(rowOf('95 % confidence')).toEqual([expect.stringMatching(/^\d+\.\d\d % to \d+\.\d\d %$/)]);
    const labels = [...page.matchAll(/^\| (\w[^|`]+?) \| [^|]+ \|$/gm)].map(([, label = '']) => label).slice(1);
    expect(labels.length).toBeGreaterThan(6);
    for (const label of labels) expect(rowOf(label)[0], `${label} is a row of the page`).not.toBe('');
  });

  it('ends with 2 and its usage where the command line is wrong', async () => {
    const pool = await startPool('--seconds', 'soon');
    expect(await pool.ended).toEqual({ code: 2, signal: null });
    expect(pool.output).toEqual([
      '--seconds must be a number from 1 to 3600, got "soon"',
      'Usage: pool [--seconds 20] [--calls-per-second 10] [--seed 1]',
    ]);
  });
});

// Few calls, so that one process will do.
const SMALL = ['--seconds', '200', '--calls-per-second', '0.1'];

// At once, since each mostly waits for its processes to start.
describe.concurrent('the processes of a worker pool', () => {
  it.each([
    // As Ctrl-C has it: every process of the terminal gets the signal.
    ['SIGINT', -1, { code: 130, signal: null }],
    ['SIGTERM', 1, { code: 143, signal: null }],
    ['SIGKILL', 1, { code: null, signal: 'SIGKILL' }],
  ] as const)('end on %s', async (signal, sign, expected) => {
    const pool = await startPool(...SMALL);
    expect(pool.pids).toHaveLength(1);
    process.kill(sign * (pool.child.pid ?? Number.NaN), signal);
    expect(await pool.ended).toEqual(expected);
    expect(await areGone(pool.pids)).toBe(true);
  });

  it('are not to end before their time', async () => {
    const pool = await startPool(...SMALL);
    const [lost = 0] = pool.pids;
    process.kill(lost, 'SIGKILL');
    expect(await pool.ended).toEqual({ code: 1, signal: null });
    expect(pool.output.at(-1)).toBe(`The process ${lost} has ended before its time`);
  });
});

describe('the options of the pool', () => {
  it('are those of the page, with its defaults', () => {
    const rows = [...page.matchAll(/^\| `--([\w-]+)` \| `(\d+)` \|/gm)].map(([, name, value]) => [name, Number(value)]);
    const { seconds, callsPerSecond, seed } = readOptions([]);
    expect(rows).toEqual([
      ['seconds', seconds],
      ['calls-per-second', callsPerSecond],
      ['seed', seed],
    ]);
  });

  it.each([
    [['--seconds', '0'], '--seconds must be a number from 1 to 3600, got "0"'],
    [['--seconds', ''], '--seconds must be a number from 1 to 3600, got ""'],
    [['--calls-per-second', '26'], '--calls-per-second must be a number from 0.1 to 25, got "26"'],
    [['--seed', 'x'], '--seed must be a number from 0 to 2147483648, got "x"'],
    [['--seconds', '1'], '--seconds times --calls-per-second must be 20 calls or more, got 10'],
  ])('%j are refused', (args, message) => {
    expect(() => readOptions(args)).toThrow(new RangeError(message));
  });

  it.each([[['--fast']], [['now']], [['--seed']]])('%j is no option', (args) => {
    expect(() => readOptions(args)).toThrow(TypeError);
  });
});

describe('a pool on paper', () => {
  const answerTimes = { mean: 400, p95: 1_200 };
  const load = { callsPerSecond: 10, answerTimes, warmUpSeconds: 2, seconds: 100, seed: 1 };

  it('refuses as many calls as the formula says', () => {
    const answerTime = { ...answerTimes, shape: 'lognormal' as const };
    const size = sizeWorkerPool({ callsPerSecond: 10, rounds: 1, answerTime, target: { refused: 0.05 } });
    expect(size.slots).toBe(8);
    expect(playOnPaper(load, size.slots, 0).mean).toBeCloseTo(size.refused ?? 0, 3);
  });

  it('does the same again with the same seed', () => {
    const short = { ...load, seconds: 5 };
    expect(playOnPaper(short, 8, 20)).toEqual(playOnPaper(short, 8, 20));
  });
});

describe('the confidence interval', () => {
  // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
  it.each([
    [81, 263, '0.2553', '0.3662'],
    [15, 148, '0.0624', '0.1605'],
    [0, 20, '0.0000', '0.1611'],
    [1, 29, '0.0061', '0.1718'],
  ])('of %i in %i is that of the literature', (count, trials, low, high) => {
    expect(confidenceInterval(count / trials, trials).map((share) => share.toFixed(4))).toEqual([low, high]);
  });
});
