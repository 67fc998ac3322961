import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { problemsIn, requirementsOf, runSuite } from './conformance-suite.ts';

const SERVER = fileURLToPath(new URL('../../packages/examples/conformance/main.ts', import.meta.url));

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('the official conformance suite, on one server at one URL', () => {
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const child = spawn(process.execPath, nodeArgs(SERVER), { stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The server ended before it listened')));
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
    ended.catch(() => {});
    url = line;
  }, 30_000);

  afterAll(() => void server.kill('SIGKILL'));

  it.each([
    ['2025-11-25', 30, ['server-session-lifecycle', 'json-schema-2020-12', 'server-sse-polling']],
    ['2026-07-28', 37, ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation']],
  ])(
    '%s: passes all %i scored scenarios, and all others that are not of an extension',
    async (revision, count, others) => {
      const { scored, unscored } = await requirementsOf(revision);
      expect(scored).toHaveLength(count);
      expect(unscored).toEqual(others);
      const directory = await temporaryDirectory();
      const { exit, output } = await runSuite(url, revision, directory);
      const summary = output.slice(-4_000);
      expect(await problemsIn(directory, [...scored, ...unscored]), summary).toEqual([]);
      expect(exit, summary).toBe(0);
      expect(server.exitCode ?? server.signalCode, 'the server has ended').toBe(null);
    },
    120_000,
  );

  it('leaves a server that still answers, and ends when it is told to', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'last', version: '1' } },
      }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"conformance-server"');
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

describe('the verdict on a run of the suite', () => {
  const passed = { id: 'a', status: 'SUCCESS', description: 'A check' };
  const resumed = { id: 'server-sse-disconnect-resume', status: 'SUCCESS', description: 'Resumes' };

  it.each([
    ['a failure', 'ping', [passed, { ...passed, status: 'FAILURE', errorMessage: 'no' }], ['ping: FAILURE a: no']],
    ['a warning', 'ping', [passed, { ...passed, status: 'WARNING' }], ['ping: WARNING a: A check']],
    ['a skipped check', 'ping', [passed, { ...passed, status: 'SKIPPED' }], ['ping: SKIPPED a: A check']],
    ['no check that passed', 'ping', [{ ...passed, status: 'INFO' }], ['ping: no check has passed']],
    ['no checks', 'ping', [], ['ping: no check has passed']],
    ['no result file', 'ping', undefined, ['ping: no result file']],
    [
      'a stream that was never closed',
      'server-sse-polling',
      [passed, { ...resumed, status: 'INFO' }],
      ['server-sse-polling: server-sse-disconnect-resume has not passed'],
    ],
    ['nothing against a pass', 'server-sse-polling', [passed, resumed], []],
  ])('finds %s', async (_what, scenario, checks, problems) => {
    const directory = await temporaryDirectory();
    const folder = join(directory, `server-${scenario}-2026-01-01T10-00-00-000Z`);
    await mkdir(folder);
    if (checks !== undefined) await writeFile(join(folder, 'checks.json'), JSON.stringify(checks));
    expect(await problemsIn(directory, [scenario])).toEqual(problems);
  });

  it('finds a scenario that was not run', async () => {
    expect(await problemsIn(await temporaryDirectory(), ['ping'])).toEqual(['ping: no result file']);
  });
});
