import { describe, expect, it } from 'vitest';
import { doctor } from '../../packages/shim/src/command/doctor/doctor.ts';
import { lastWords } from '../../packages/shim/src/command/doctor/last-words.ts';
import { sdkLoader } from '../../packages/shim/src/command/doctor/sdk-clients.ts';
import { diagnose } from './doctor-diagnose.ts';
import { SERVERS } from './doctor-processes.ts';

const server = (...args: string[]) => ['--', process.execPath, SERVERS.handshake, ...args];
const table = async (...args: string[]) =>
  (await doctor(args, { sdk: sdkLoader, stderr: { write: () => undefined }, env: {} })).text;

describe('a process that ends by itself', () => {
  it.each([
    ['exits-on-prompts', 'the process ended by itself (exit code 139); it said: out of [31m memory (so did 3 more)'],
    ['dies-on-prompts', 'the process ended by itself (signal SIGABRT) (so did 3 more)'],
  ])('is a problem, also where nothing was to be there: it %s', async (behaviour, seen) => {
    const { exitCode, finding, clients, verdicts } = await diagnose(server(behaviour));
    expect(exitCode).toBe(1);
    expect(finding('process')).toMatchObject({ verdict: 'problem', seen, page: 'docs/doctor.md#process' });
    expect(clients('handshake')).toEqual(['none: problem', 'form: problem', 'url: problem', 'all: problem']);
    expect(verdicts).toMatchObject({ declared: 'ok', 'same-lists': 'ok', clients: 'ok' });
  });

  it('is a problem of the call that it ended in', async () => {
    const { exitCode, call, finding } = await diagnose(server('dies-in-calls'), ['--call', 'ask']);
    const seen = 'the process ended by itself (exit code 3); it said: boom';
    expect(exitCode).toBe(1);
    expect(call('handshake', 'all')).toMatchObject({ verdict: 'problem', outcome: 'ended', seen });
    expect(finding('process')['seen']).toBe(`${seen} (so did 3 more)`);
  });

  it('is told apart from one that wrote too much, and was ended', async () => {
    const { call, verdicts } = await diagnose(server('floods'), ['--call', 'ask']);
    const seen = 'the process wrote more than 8388608 bytes to stdout, and was ended';
    expect(call('handshake', 'all')).toMatchObject({ verdict: 'problem', outcome: 'ended', seen });
    expect(verdicts['process']).toBe('problem');
  });

  it.each([
    ['exits-on-discover', 'the process ended by itself (exit code 7)'],
    ['silent-on-discover', 'no answer within 1500 ms'],
  ])('or says nothing does not refuse the modern era, it fails there: it %s', async (behaviour, seen) => {
    const { exitCode, finding, clients } = await diagnose(server(behaviour), ['--timeout', '1500ms']);
    expect(exitCode).toBe(1);
    expect(finding('modern')).toMatchObject({
      verdict: 'problem',
      seen: `clients on 2026-07-28 are not served: ${seen}`,
    });
    expect(clients('modern')[0]).toBe('none: problem (failed)');
  });
});

describe('a process that ends after its answer', () => {
  it('at once is a problem of its own', async () => {
    const { exitCode, finding, verdicts, clients } = await diagnose(server('ends-after-opening'));
    expect(exitCode).toBe(1);
    expect(finding('stays')).toMatchObject({
      verdict: 'problem',
      seen: 'the process ended by itself (exit code 0), after it had answered (so did 4 more)',
      page: 'docs/doctor.md#stays',
    });
    // Asked for another era, it has nothing to say.
    expect(verdicts).toMatchObject({ handshake: 'ok', modern: 'warning' });
    expect(verdicts).not.toHaveProperty('process');
    expect(clients('handshake')).toEqual(['none: problem', 'form: problem', 'url: problem', 'all: problem']);
  });

  it('is seen to, also where it was the last one', async () => {
    const { finding, report, call } = await diagnose(server('ends-after-calls'), ['--call', 'ask']);
    const seen = 'the process ended by itself (exit code 0)';
    expect(finding('stays')['seen']).toBe(`${seen}, after it had answered (so did 3 more)`);
    expect(call('handshake', 'all')).toMatchObject({ verdict: 'ok', outcome: 'result' });
    expect(report['clients'][3]).toMatchObject({ verdict: 'problem', ended: seen });
  });
});

describe('the last words of a process', () => {
  it.each([
    [
      "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at f (a.js:1:1) {\n  code: 'E'\n}\n\nNode.js v20.1.0\n",
      "Error: Cannot find module 'x'",
    ],
    ['TypeError [ERR_X]: no\n    at a\n}\n', 'TypeError [ERR_X]: no'],
    [
      'Traceback:\n  File "a.py"\nModuleNotFoundError: No module named \'x\'\n',
      "ModuleNotFoundError: No module named 'x'",
    ],
    ['npm error code E404\nnpm error 404 a\nnpm error A complete log of this run is in: x\n', 'npm error code E404'],
    ['first\nno configuration found\n\n', 'no configuration found'],
    ['\n', ''],
  ])('are the line that says why: %#', (said, words) => {
    expect(lastWords(said)).toBe(words);
  });
});

describe('a list that does not end', () => {
  it.each([
    ['long', 'warning', 0, 'handshake: none, form, url, all: tools: more than 1000, no more were read'],
    ['pages', 'warning', 0, 'handshake: none, form, url, all: tools: more than 100 pages, no more were read'],
  ])('is told of, with what was read: %s', async (behaviour, verdict, status, seen) => {
    const { exitCode, finding, report } = await diagnose(server(behaviour));
    expect(exitCode).toBe(status);
    expect(finding('pages')).toMatchObject({ verdict, seen, page: 'docs/doctor.md#pages' });
    expect(report['clients'][0].tools).toHaveLength(behaviour === 'long' ? 1_000 : 0);
  });
});

describe('what a server asks', () => {
  it('for roots is answered with none where they were declared, with an error where not', async () => {
    const { call } = await diagnose(server('', 'roots/list'), ['--call', 'ask']);
    expect(call('handshake', 'all')).toMatchObject({ verdict: 'ok', seen: 'a result: {"roots":[]}' });
    expect(call('handshake', 'form')).toMatchObject({ verdict: 'problem' });
    expect(call('handshake', 'form')['seen']).toContain('did not declare; then a result: -32601');
  });

  it('before any call is answered too', async () => {
    const { finding } = await diagnose(server('asks-early'));
    expect(finding('process')['seen']).toMatch(/^the process ended by itself \(exit code 1\); it said: -32601 /);
    const { report } = await diagnose(server('asks-early'));
    expect(report['clients'][3]['ended']).toBe('the process ended by itself (exit code 1); it said: {"roots":[]}');
  });

  it.each(['toString', '__proto__', 'constructor'])('may have a name that every object has: %s', async (method) => {
    const { call } = await diagnose(server('', method), ['--call', 'ask']);
    expect(call('handshake', 'all')).toMatchObject({
      questions: [{ round: 1, kind: method }],
      verdict: 'problem',
      seen: `asked ${method}, which this client did not declare; then a result: -32601`,
    });
  });

  it('and was not declined is not said to be', async () => {
    const roots = await table('--call', 'ask', ...server('', 'roots/list'));
    expect(roots).toContain('asked, and answered with an empty list: roots\n');
    expect(roots).toContain('asked, and answered with an error: roots\n');
    expect(await table('--call', 'ask', ...server('', 'sampling/createMessage'))).toContain(
      'asked, and answered with an error: sampling\n',
    );
  });
});

describe('--call', () => {
  it('with a tool that no client is shown is a problem', async () => {
    const { exitCode, report } = await diagnose(server('', 'roots/list'), ['--call', 'nosuchtool']);
    expect(exitCode).toBe(1);
    expect(report['findings']).toContainEqual({
      id: 'call',
      verdict: 'problem',
      seen: 'no client is shown a tool nosuchtool',
      cure: 'give --call the name of a tool that the server lists',
      page: 'docs/doctor.md#call',
    });
  });
});
