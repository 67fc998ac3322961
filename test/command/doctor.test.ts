import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { runCommand } from '../support/command.ts';
import type { Json } from '../support/json.ts';
import { isRunning, SERVERS, startDoctor } from './doctor-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-doctor-'));
const notes = join(directory, 'notes');
afterEach(() => rmSync(notes, { force: true }));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const noted = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
const doctor = (...args: string[]) => runCommand(['doctor', ...args]);

describe('the command mcp-dual-era doctor', () => {
  it('prints all it saw as JSON, and ends with 0 where nothing is wrong', () => {
    const server = [process.execPath, ...nodeArgs(SERVERS.both), notes];
    const call = ['--call', 'erase', '--arguments', '{"files":12}'];
    const { status, stdout, stderr } = doctor('--json', ...call, '--', ...server);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'mcp-dual-era doctor: what the tool does before it asks happens once for each era and kind of client.\n',
    });
    const report = JSON.parse(stdout) as Json;
    expect(Object.keys(report)).toEqual(['target', 'exitStatus', 'call', 'clients', 'findings']);
    expect(report).toMatchObject({ target: 'node', exitStatus: 0, call: { tool: 'erase' } });
    expect(report['findings'].map(({ id, verdict }: Json) => `${id}: ${verdict}`)).toEqual([
      'handshake: ok',
      'initialize-revision: ok',
      'modern: ok',
      'broken-claim: ok',
      'unknown-method: ok',
      'unknown-tool: ok',
      'clients: ok',
      'declared: ok',
      'same-lists: ok',
      'call: ok',
      'call: ok',
      'stdout: ok',
      'stdin-end: ok',
    ]);
    const answers = { none: 'refused', form: 'a result: kept', url: 'refused', all: 'a result: kept' };
    for (const { era, client, revision, server: named, tools, call: called } of report['clients'] as Json[]) {
      expect({ named, tools }).toEqual({ named: { name: 'both', version: '2.0.0' }, tools: ['erase'] });
      expect(revision).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
      expect(called.seen).toContain(answers[client as keyof typeof answers]);
      const isAsked = client === 'form' || client === 'all';
      expect(called.questions.map(({ message }: Json) => message)).toEqual(isAsked ? ['Erase 12 files?'] : []);
    }
    expect(report['clients']).toHaveLength(8);
    // Twice where it was answered, once where it could not ask.
    expect(noted()).toEqual(Array(12).fill('run'));
    // Ten processes, one after the other.
  }, 90_000);

  it('prints a table for people, and ends with 1 where there are problems; says what it does with --verbose', () => {
    const { status, stdout, stderr } = doctor('--verbose', '--', process.execPath, SERVERS.odd, 'odd', notes);
    expect(status).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`odd ]0;owned server ${'v'.repeat(30)}... at node`);
    expect(lines.slice(2, 5)).toEqual([
      'Era        Client  Revision    Tools  Prompts  Resources  Verdict',
      'handshake  none    2025-11-25  1      -        1          problem',
      'handshake  form    2025-11-25  2      -        1          problem',
    ]);
    const verdicts = lines.map((line) => /^(PROBLEM|Warning|ok) {2}/.exec(line)?.[1]).filter(Boolean);
    expect(verdicts).toEqual([...Array(5).fill('PROBLEM'), 'Warning', 'ok', 'ok']);
    expect(lines).toContain(
      '         Do this: log to stderr (console.error): clients take stdout for messages (docs/doctor.md#stdout)',
    );
    expect(lines.at(-2)).toBe('5 problems, 1 warning, 2 ok');
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'handshake: is it served?',
      'modern: is it served?',
      'handshake, client none: open and list',
    ]);
  });

  it('ends with 2 and one line for flags that are wrong', () => {
    expect(doctor('ftp://example.com')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'mcp-dual-era doctor: a server must be an http or https URL (a command comes after --), got ftp:\n',
    });
  });

  it('ends with 3 where no era opens', () => {
    const { status, stdout, stderr } = doctor('--', process.execPath, SERVERS.odd, 'exits', notes);
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(stdout).toContain('no configuration found');
    expect(stdout).toContain('\nhandshake  none    -         -      -        -          problem (failed)\n');
  });

  it('says how it is used', () => {
    const { status, stdout, stderr } = doctor('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const flag of [
      '--call',
      '--arguments',
      '--header',
      '--require',
      '--timeout',
      '--json',
      '--verbose',
      '--help',
    ]) {
      expect(stdout).toContain(`  ${flag} `);
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends its processes with itself at %s', async (signal) => {
    const child = startDoctor(['--', process.execPath, SERVERS.odd, 'hangs', notes]);
    await expect.poll(() => noted().length, { timeout: 20_000 }).toBe(1);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    const [pid = ''] = noted();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  it('asks its processes to end before it ends them, and starts no more', async () => {
    const child = startDoctor(['--', process.execPath, SERVERS.odd, 'asked', notes]);
    await expect.poll(() => noted().includes('there'), { timeout: 20_000 }).toBe(true);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(143);
    expect(noted()).toEqual([expect.stringMatching(/^\d+$/), 'there', 'asked']);
  });
});
