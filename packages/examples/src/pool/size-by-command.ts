/** Asks the command `mcp-dual-era size` how many slots a load needs. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PoolSize } from 'mcp-dual-era';
import type { AnswerTimes } from './chance.ts';

export interface PoolPlan {
  readonly callsPerSecond: number;
  readonly answerTimes: AnswerTimes;
  /** The share of calls that may be refused, between 0 and 1. */
  readonly refused: number;
}

// #region size
export async function sizeByCommand({ callsPerSecond, answerTimes, refused }: PoolPlan): Promise<PoolSize> {
  const flags = [
    ['--calls-per-second', `${callsPerSecond}`],
    ['--answer-time', `${answerTimes.mean}ms`],
    ['--answer-p95', `${answerTimes.p95}ms`],
    ['--refused', `${refused}`],
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [await command(), 'size', ...flags.flat(), '--json']);
  return JSON.parse(stdout) as PoolSize;
}
// #endregion size

/** The file behind `npx mcp-dual-era`, which would take a second to find it. */
async function command(): Promise<string> {
  const manifest = import.meta.resolve('mcp-dual-era/package.json');
  const { bin } = JSON.parse(await readFile(new URL(manifest), 'utf8')) as { bin: { 'mcp-dual-era': string } };
  return fileURLToPath(new URL(bin['mcp-dual-era'], manifest));
}
