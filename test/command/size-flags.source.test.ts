import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FlagError } from '../../packages/shim/src/command/flag-error.ts';
import { readMetrics } from '../../packages/shim/src/command/metrics-file.ts';
import { size } from '../../packages/shim/src/command/size.ts';
import { SIZE_HELP } from '../../packages/shim/src/command/size-flags.ts';
import { STATS } from './metrics.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-flags-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const GOOD = { 'calls-per-second': '2', 'answer-time': '20s', refused: '1%' };
const argsOf = (flags: object) => Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
/** With `changed` flags; those that are undefined are left out. */
const given = (changed: Record<string, string | undefined>) =>
  argsOf(Object.fromEntries(Object.entries({ ...GOOD, ...changed }).filter(([, value]) => value !== undefined)));
const jsonOf = async (...args: string[]) => JSON.parse(await size([...args, '--json']));

function fileOf(content: string): string {
  const path = join(directory, 'metrics.json');
  writeFileSync(path, content);
  return path;
}

const SHARE = 'a share above 0 and below 1, such as 1% or 0.01';
const TIME = 'a duration such as 20s, 500ms, 2m or 1.5h, from 1ms to';
const TIMES = `${TIME} 9007199254740991ms`;
const DELAYS = `${TIME} 2147483647ms`;
const COUNTS = 'an integer from 1 to 9007199254740991';

describe('a flag with a value that is not allowed', () => {
  it.each<[Record<string, string>, string]>([
    [{ 'calls-per-second': '0' }, '--calls-per-second must be a number above 0, got "0"'],
    [{ 'calls-per-second': '-1' }, '--calls-per-second must be a number above 0, got "-1"'],
    [{ 'calls-per-second': '2/s' }, '--calls-per-second must be a number above 0, got "2/s"'],
    [{ 'calls-per-second': 'NaN' }, '--calls-per-second must be a number above 0, got "NaN"'],
    [{ 'calls-per-second': 'Infinity' }, '--calls-per-second must be a number above 0, got "Infinity"'],
    [{ 'calls-per-second': '' }, '--calls-per-second must be a number above 0, got ""'],
    [{ 'calls-per-second': '0x10' }, '--calls-per-second must be a number above 0, got "0x10"'],
    [
      { 'calls-per-second': '9'.repeat(400) },
      `--calls-per-second must be a number above 0, got "${'9'.repeat(60)}..."`,
    ],
    [{ 'calls-per-second': '--json' }, '--calls-per-second must be a number above 0, got "--json"'],
    [{ rounds: '1,5' }, '--rounds must be a number above 0, got "1,5"'],
    [{ rounds: '9' }, '--rounds must be a number above 0 and at most 8, got 9'],
    [{ rounds: '3', 'max-rounds': '2' }, '--rounds must be a number above 0 and at most 2, got 3'],
    [{ 'max-rounds': '0' }, `--max-rounds must be ${COUNTS}, got "0"`],
    [{ 'max-rounds': '2.5' }, `--max-rounds must be ${COUNTS}, got "2.5"`],
    [{ 'answer-time': '20' }, `--answer-time must be ${TIMES}, got "20"`],
    [{ 'answer-time': '20 s' }, `--answer-time must be ${TIMES}, got "20 s"`],
    [{ 'answer-time': '1d' }, `--answer-time must be ${TIMES}, got "1d"`],
    [{ 'answer-time': '0s' }, `--answer-time must be ${TIMES}, got "0s"`],
    [{ 'answer-time': '-20s' }, `--answer-time must be ${TIMES}, got "-20s"`],
    [{ 'answer-time': '1e3s' }, `--answer-time must be ${TIMES}, got "1e3s"`],
    [{ 'answer-p95': 'toString' }, `--answer-p95 must be ${TIMES}, got "toString"`],
    [
      { 'answer-p95': '10s' },
      '--answer-p95 must be above --answer-time (20000 ms) and at most 3.868 times it (77362 ms), got 10000',
    ],
    [{ 'round-timeout': '600h' }, `--round-timeout must be ${DELAYS}, got "600h"`],
    [{ 'request-limit': '0.1ms' }, `--request-limit must be ${TIMES}, got "0.1ms"`],
    [{ refused: '1 percent' }, `--refused must be ${SHARE}, got "1 percent"`],
    [{ refused: '1' }, `--refused must be ${SHARE}, got "1"`],
    [{ refused: '100%' }, `--refused must be ${SHARE}, got "100%"`],
    [{ refused: '0%' }, `--refused must be ${SHARE}, got "0%"`],
    [{ refused: '-1%' }, `--refused must be ${SHARE}, got "-1%"`],
    [{ delayed: '5' }, `--delayed must be ${SHARE}, got "5"`],
    [{ delayed: '5%' }, 'one of --refused and --delayed must be given, such as --refused 1%, got both'],
    [
      { refused: `0.${'0'.repeat(199)}1`, plot: 'out.svg' },
      '--plot must have shares of 1e-100 or more to draw, got 3e-201',
    ],
    [{ plot: 'out.png' }, '--plot must be a file whose name ends in .svg, got "out.png"'],
    [
      { 'calls-per-second': '1000000', 'round-timeout': '500h' },
      'The offered load, --calls-per-second x the mean hold, must be above 0 and at most 1000000, got 20000000',
    ],
  ])('is named, with what it got and what is allowed: %o', async (changed, message) => {
    await expect(size(given(changed))).rejects.toThrow(new FlagError(message));
  });

  it.each<[string, Record<string, undefined>, string]>([
    ['no calls', { 'calls-per-second': undefined }, '--calls-per-second must be given, or --from, got neither'],
    ['no answer time', { 'answer-time': undefined }, '--answer-time must be given, or --from, got neither'],
    [
      'no target',
      { refused: undefined },
      'one of --refused and --delayed must be given, such as --refused 1%, got neither',
    ],
  ])('is named where it is missing: %s', async (_what, changed, message) => {
    await expect(size(given(changed))).rejects.toThrow(new FlagError(message));
  });

  it('is named where it goes with another', async () => {
    const alone = given({ 'answer-time': undefined, 'answer-p95': '60s' });
    await expect(size(alone)).rejects.toThrow('--answer-p95 must be given with --answer-time, got it alone');
  });

  const KNOWN =
    'a flag must be one of --calls-per-second, --answer-time, --answer-p95, --rounds, --round-timeout, --max-rounds, --request-limit, --refused, --delayed, --from, --plot, --json, --help';
  it.each<[string[], string]>([
    [['--calls'], `${KNOWN}, got "--calls"`],
    [['--no-json'], `${KNOWN}, got "--no-json"`],
    [['--toString'], `${KNOWN}, got "--toString"`],
    [['-j'], `${KNOWN}, got "-j"`],
    [['twenty'], `${KNOWN}, got "twenty"`],
    [['--', '--json'], `${KNOWN}, got "--json"`],
    [['--rounds', '1', '--rounds', '2'], '--rounds must be given once, got it twice'],
    [['--rounds'], '--rounds must have a value, got none'],
    [['--json=yes'], '--json must have no value, got "yes"'],
  ])('is named where it is no flag, or not used as one: %j', async (args, message) => {
    await expect(size([...given({}), ...args])).rejects.toThrow(new FlagError(message));
  });
});

describe('the help', () => {
  it.each(['--help', '-h'])('is had with %s, as of the other commands', async (flag) => {
    expect(await size([flag])).toBe(SIZE_HELP);
  });
});

describe('a file for --from', () => {
  const from = (path: string) => size(['--from', path, '--refused', '1%']);
  const STATED = { ...STATS };

  it.each<[string, unknown, string]>([
    ['null', null, '--from must be a file of an object, as holds.stats() gives it, got null in '],
    ['a list', [STATED], '--from must be a file of an object, as holds.stats() gives it, got an array in '],
    ['no calls', { ...STATED, calls: undefined }, '--from: calls must be a number from 0, got undefined in '],
    ['calls below 0', { ...STATED, calls: -1 }, '--from: calls must be a number from 0, got -1 in '],
    [
      'a count that is a text',
      { ...STATED, answerTimes: { ...STATED.answerTimes, count: '2' } },
      '--from: answerTimes.count must be a number from 0, got "2" in ',
    ],
    [
      'no answers',
      { ...STATED, answerTimes: { ...STATED.answerTimes, count: 0 } },
      '--from: answerTimes.count must be above 0 (nothing has been measured yet), got 0 in ',
    ],
    ['a time that is null', { ...STATED, elapsedMs: null }, '--from: elapsedMs must be a number from 0, got null in '],
    ['refused as a list', { ...STATED, refused: [] }, '--from: refused must be a number from 0, got an array in '],
    [
      'nothing measured',
      { ...STATED, calls: 0 },
      '--from: calls must be above 0 (nothing has been measured yet), got 0 in ',
    ],
    [
      'no answer times',
      { ...STATED, answerTimes: undefined },
      '--from: answerTimes must be an object, got undefined in ',
    ],
    ['those of another member', { holds: { held: 0 } }, '--from: calls must be a number from 0, got undefined in '],
  ])('is refused with %s', async (_what, content, message) => {
    const path = fileOf(JSON.stringify(content));
    const error = await from(path).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(FlagError);
    expect((error as Error).message.startsWith(message)).toBe(true);
    expect((error as Error).message).not.toContain('\n');
  });

  it.each<[object, string]>([
    [{ quantiles: [1, 2] }, '--from: answerTimes.quantiles must have 201 values, got 2'],
    [{ quantiles: 'many' }, '--from: answerTimes.quantiles must be an array, got "many"'],
  ])('is refused with answer times that are none: %o', async (changed, message) => {
    const answerTimes = { ...STATS.answerTimes, ...changed };
    await expect(from(fileOf(JSON.stringify({ ...STATS, answerTimes })))).rejects.toThrow(new FlagError(message));
  });

  it('is refused with more rounds per call than are allowed', async () => {
    const path = fileOf(JSON.stringify({ ...STATS, calls: 100 }));
    await expect(from(path)).rejects.toThrow(
      '--from: answerTimes.count / calls must be a number above 0 and at most 8, got 23.76',
    );
  });

  it('is refused where it is not JSON', async () => {
    const message = '--from must be a file of JSON, as holds.stats() gives it, got other text in ';
    await expect(from(fileOf('held: 3'))).rejects.toThrow(message);
    await expect(from(fileOf(''))).rejects.toThrow(message);
  });

  it.each<[string, () => string, string]>([
    ['is not there', () => join(directory, 'none.json'), 'ENOENT'],
    ['is a directory', () => join(directory, 'folder'), 'EISDIR'],
  ])('is refused where it %s', async (_what, pathOf, code) => {
    mkdirSync(join(directory, 'folder'), { recursive: true });
    const error = await from(pathOf()).catch((thrown: unknown) => thrown as Error);
    expect(String(error)).toMatch(
      new RegExp(`^FlagError: --from must be a file that can be read, got ".+" \\(${code}\\)$`),
    );
  });

  it('is read up to 16 MiB and no further', async () => {
    const content = JSON.stringify(STATS);
    const most = 16 * 1024 * 1024;
    expect(readMetrics(fileOf(content.padEnd(most))).rounds).toBe(2);
    await expect(from(fileOf(content.padEnd(most + 1)))).rejects.toThrow(
      '--from must be a file of at most 16 MiB, got more in ',
    );
  });

  it('counts for what no flag gives', async () => {
    const path = fileOf(JSON.stringify(STATS));
    const { offeredLoad, meanHold } = await jsonOf('--from', path, '--refused', '1%', '--calls-per-second', '5');
    expect([offeredLoad, meanHold]).toStrictEqual([200, 40_000]);
    const flags = ['--rounds', '1', '--answer-time', '30s', '--round-timeout', '8h'];
    expect((await jsonOf('--from', path, '--refused', '1%', ...flags)).meanHold).toBeCloseTo(30_000, 6);
  });
});

describe('a flag with a value that is allowed', () => {
  it.each([
    ['20s', 20_000],
    ['20000ms', 20_000],
    ['0.5m', 30_000],
    ['0.01h', 36_000],
    ['1.005s', 1_005],
  ])('is a duration: %s', async (text, ms) => {
    const { worstCaseHold } = await jsonOf(...given({ 'round-timeout': text, 'max-rounds': '1' }));
    expect(worstCaseHold).toBe(ms);
  });

  it.each(['1%', '1 %', '1.0%', '0.01'])('is a share: %s', async (refused) => {
    expect(await jsonOf(...given({ refused }))).toStrictEqual(await jsonOf(...given({})));
  });

  it('makes the answer time lognormal where it is a 95 % quantile', async () => {
    const { meanHold, warnings } = await jsonOf(...given({ 'answer-p95': '50s', 'round-timeout': '50s' }));
    expect(meanHold).toBeLessThan(20_000);
    expect(warnings).toStrictEqual(['5 % of rounds take longer than roundTimeout (50000 ms), and end their call.']);
  });

  it('is read behind an equals sign as well', async () => {
    expect(await jsonOf('--calls-per-second=2', '--answer-time=20s', '--refused=1%')).toStrictEqual(
      await jsonOf(...given({})),
    );
  });
});

describe('a table', () => {
  it.each([
    [['--answer-time', '100ms'], 'Mean hold                           100 ms'],
    [['--answer-time', '90s'], 'Mean hold                           89.9 s'],
    [['--answer-time', '5m'], 'Mean hold                           4.32 min'],
    [['--answer-time', '300h', '--round-timeout', '500h'], 'Mean hold                           243 h'],
  ])('has times that can be read: %j', async (flags, line) => {
    expect(await size(['--calls-per-second', '0.1', '--delayed', '1%', ...flags])).toContain(`${line}\n`);
  });

  it('says what it is that is kept low', async () => {
    expect(await size(given({ refused: undefined, delayed: '5%' }))).toMatch(/^Delayed at those slots {14}\d/m);
  });
});
