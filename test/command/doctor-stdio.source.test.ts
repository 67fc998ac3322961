import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StdioLink } from '../../packages/shim/src/command/doctor/stdio-link.ts';
import { diagnose } from './doctor-diagnose.ts';
import { isRunning, SERVERS } from './doctor-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-doctor-'));
const notes = join(directory, 'notes');
afterEach(() => rmSync(notes, { force: true }));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const odd = (behaviour: string) => ['--', process.execPath, SERVERS.odd, behaviour, notes];
const noted = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);

describe('a server of SDK v1 on stdio', () => {
  it('is opened by every kind of client of its era; that it does not serve the other is a warning', async () => {
    writeFileSync(notes, '');
    const { exitCode, verdicts, clients, report, finding, stderr } = await diagnose([
      '--',
      process.execPath,
      SERVERS.plain,
      notes,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(verdicts).toEqual({
      handshake: 'ok',
      'initialize-revision': 'ok',
      modern: 'warning',
      clients: 'ok',
      declared: 'ok',
      'same-lists': 'ok',
      stdout: 'ok',
      'stdin-end': 'ok',
    });
    expect(finding('modern')['seen']).toBe('clients on 2026-07-28 are not served: error -32601 Method not found');
    expect(clients('handshake')).toEqual(['none: ok', 'form: ok', 'url: ok', 'all: ok']);
    expect(clients('modern')).toEqual(['none', 'form', 'url', 'all'].map((client) => `${client}: warning (refused)`));
    expect(report['clients'][0]).toStrictEqual({
      era: 'handshake',
      client: 'none',
      state: 'open',
      verdict: 'ok',
      revision: '2025-11-25',
      server: { name: 'plain', version: '1.2.3' },
      capabilities: ['tools'],
      notes: [],
      tools: ['erase'],
      prompts: null,
      resources: null,
    });
    // Nothing was called.
    expect(readFileSync(notes, 'utf8')).toBe('');
  });

  it('has its tool called once for each client, and every question declined', async () => {
    const { exitCode, call, stderr } = await diagnose(
      ['--', process.execPath, SERVERS.plain, notes],
      ['--call', 'erase'],
    );
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'mcp-dual-era doctor: what the tool does before it asks happens once for each era and kind of client.\n',
    );
    const question = { round: 1, kind: 'form', message: 'Erase all?', fields: ['sure'] };
    expect(call('handshake', 'form')).toEqual({
      questions: [question],
      verdict: 'ok',
      outcome: 'result',
      seen: 'a result: kept',
    });
    expect(call('handshake', 'url')).toMatchObject({ questions: [], outcome: 'error result' });
    expect(noted()).toEqual(['called', 'called', 'called', 'called']);
  });
});

describe('a server that does nothing right', () => {
  it('is told what, in words that are fit to be printed', async () => {
    const { exitCode, verdicts, finding, report, call, clients } = await diagnose(odd('odd'), ['--call', 'both']);
    expect(exitCode).toBe(1);
    expect(verdicts).toEqual({
      handshake: 'ok',
      'initialize-revision': 'problem',
      modern: 'warning',
      clients: 'ok',
      declared: 'problem',
      'same-lists': 'problem',
      call: 'problem',
      stdout: 'problem',
      'stdin-end': 'problem',
    });
    const seen = (id: string): string => finding(id)['seen'];
    expect(seen('initialize-revision')).toBe('initialize with 2026-07-28 is answered with 2026-07-28');
    expect(seen('declared')).toBe(
      'handshake: none, form, url, all: prompts: declared, and the list fails: MCP error -32603: broken line; ' +
        'resources: has 1, and does not declare them',
    );
    expect(seen('same-lists')).toBe('handshake: none has other tools than handshake: form: for askers (not on both)');
    expect(seen('stdout')).toMatch(/^\d+ lines on stdout that are no messages, first: Listening \[31mon stdin$/);
    expect(seen('stdin-end')).toContain('outlives its client');
    expect(call('handshake', 'none')).toMatchObject({
      verdict: 'problem',
      seen: 'asked form, which this client did not declare; then a result: done',
    });
    expect(call('handshake', 'url')).toMatchObject({ verdict: 'problem' });
    expect(call('handshake', 'form')).toMatchObject({ verdict: 'ok', seen: 'a result: done' });
    expect(clients('handshake')).toEqual(['none', 'form', 'url', 'all'].map((client) => `${client}: problem`));
    expect(report['clients'][0].server).toEqual({ name: 'odd ]0;owned server', version: `${'v'.repeat(30)}...` });
    // JSON would have them escaped, but for the last one.
    expect(JSON.stringify(report)).not.toMatch(/\\[ubfnrt]|\u202e/);
    for (const { cure, page, verdict } of report['findings']) {
      expect([verdict === 'ok', cure === undefined, page === undefined]).toEqual(Array(3).fill(verdict === 'ok'));
    }
    expect(noted().filter(isRunning)).toEqual([]);
  });

  it('has a list that never ends left when it goes round in circles', async () => {
    const { report, exitCode, finding } = await diagnose(odd('endless'));
    expect(exitCode).toBe(1);
    expect(report['clients'][0].tools).toHaveLength(80);
    expect(finding('pages')).toMatchObject({
      verdict: 'problem',
      seen: 'handshake: none, form, url, all: tools: page 2 has a nextCursor that was there before',
    });
  });
});

describe('a command that is no server', () => {
  it.each([
    ['exits', '10s', 'the process ended by itself (exit code 1); it said: no configuration found'],
    ['garbage', '700ms', 'no answer within 700 ms'],
    ['flood', '10s', 'the process wrote more than 8388608 bytes to stdout, and was ended'],
  ])('is given up, and ended: it %s', async (behaviour, timeout, came) => {
    const { exitCode, finding, clients, report } = await diagnose(odd(behaviour), ['--timeout', timeout]);
    expect(exitCode).toBe(3);
    const seen = `does not open: ${came}`;
    expect([finding('handshake')['seen'], finding('modern')['seen']]).toEqual([seen, seen]);
    expect(clients('handshake')).toEqual(['none', 'form', 'url', 'all'].map((client) => `${client}: problem (failed)`));
    expect(report['findings']).toHaveLength(2);
    expect(noted().length).toBeGreaterThan(1);
    expect(noted().filter(isRunning)).toEqual([]);
  });

  it('is told apart where it does not exist', async () => {
    const { exitCode, finding } = await diagnose(['--', 'mcp-dual-era-no-such-command']);
    expect(exitCode).toBe(3);
    expect(finding('handshake')['seen']).toBe('does not open: the command cannot be started (ENOENT)');
  });

  it('is ended with what it started, also where that hangs and takes no notice', async () => {
    const shell = `'${process.execPath}' '${SERVERS.odd}' hangs '${notes}'; true`;
    const { exitCode, finding } = await diagnose(['--', 'sh', '-c', shell], ['--timeout', '700ms']);
    expect(exitCode).toBe(3);
    expect(finding('modern')['seen']).toBe('does not open: no answer within 700 ms');
    expect(noted().length).toBeGreaterThan(1);
    await expect.poll(() => noted().filter(isRunning)).toEqual([]);
  });

  it('is asked to end before it is ended, and so is what it started', async () => {
    const child = `(trap 'echo asked >> "$0"; exit' TERM; while :; do sleep 60; done)`;
    const shell = `${child} > /dev/null 2>&1 & exec '${process.execPath}' '${SERVERS.handshake}'`;
    const { exitCode } = await diagnose(['--', 'sh', '-c', shell, notes]);
    expect(exitCode).toBe(0);
    // Two looks without a client, four with one.
    expect(noted()).toEqual(Array(6).fill('asked'));
  });

  const lookAt = (behaviour: string, signal: AbortSignal) => {
    const target = { kind: 'stdio', command: process.execPath, args: [SERVERS.odd, behaviour, notes] } as const;
    return { target, timeout: 1_000, signal, tell: String, progress: () => undefined };
  };

  it('is not started any more once all is to end', async () => {
    const link = new StdioLink(lookAt('hangs', AbortSignal.abort()), { noise: 0, ends: [] });
    await expect(link.start()).rejects.toThrow('used up');
    expect(link.pid).toBeNull();
  });

  it('is waited for as long once it is closed again, where it cannot be ended', async () => {
    const link = new StdioLink(lookAt('hangs', new AbortController().signal), {
      noise: 0,
      ends: [],
      endsWithStdin: false,
    });
    await link.start();
    const { pid } = link;
    // As with sudo: the process is there, and takes no signal of ours.
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => {
      kill.mockRestore();
      if (pid !== null) process.kill(pid, 'SIGKILL');
    });
    await link.close();
    await link.close();
    expect(isRunning(String(pid))).toBe(true);
  });
});
