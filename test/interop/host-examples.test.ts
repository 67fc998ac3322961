import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { exampleProcess } from './example-process.ts';
import { type HostServerName, listenHostServer } from './host-servers.ts';

const SERVERS: readonly HostServerName[] = ['ours, dual', 'official v2, modern only'];
const STDIO = fileURLToPath(new URL('host-server-stdio.ts', import.meta.url));

/** Runs the host `name` to its end, with `lines` typed on its keyboard, which nobody sits at after that. */
async function runHost(name: string, args: readonly string[], lines: readonly string[] = []) {
  const { command, args: own, env } = exampleProcess(`hosts/${name}`);
  const child = spawn(command, [...own, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [output, errors, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, exit };
}

async function listen(name: HostServerName): Promise<string> {
  const { url, close } = await listenHostServer(name);
  onTestFinished(close);
  return url.href;
}

// What is typed, wrong entries included, and what is said to each of those.
const TYPED = [
  ['Jo', 'This has 2 characters, and needs at least 3.'],
  ['Josephine', 'This has 9 characters, and may have at most 5.'],
  ['Ada🦀'],
  ['ada@example', 'This is no email.'],
  ['ada@example.com'],
  ['example.com', 'This is no uri.'],
  ['https://example.com/a'],
  ['2026-02-30', 'This is no date.'],
  ['2026-02-28'],
  ['2026-02-28 10:00', 'This is no date-time.'],
  ['2026-02-28T10:00:00Z'],
  ['lots', 'This is no number.'],
  ['1.5', 'This is more than 1.'],
  ['0.25'],
  ['1.5', 'This is no whole number.'],
  ['0', 'This is less than 1.'],
  [''],
  ['maybe', 'Type yes or no.'],
  ['no'],
  ['medium', '"medium" is not in the list.'],
  ['high'],
  ['3', '"3" is not in the list.'],
  ['For testers'],
  ['europe', 'Choose at least 2.'],
  ['1, nowhere', '"nowhere" is not in the list.'],
  ['1, america'],
  ['Documentation'],
  [''],
] as const;

const PLAN = {
  name: 'Ada🦀',
  contact: 'ada@example.com',
  page: 'https://example.com/a',
  day: '2026-02-28',
  freeze: '2026-02-28T10:00:00Z',
  share: 0.25,
  servers: 2,
  announce: false,
  urgency: 'high',
  channel: 'beta',
  regions: ['europe', 'america'],
  teams: ['docs'],
};

describe.each(SERVERS)('the terminal host, on the server that is %s', (server) => {
  it('asks every type of field, and says at once what is wrong with an entry', async () => {
    const lines = TYPED.map(([line]) => line);
    const { output, errors, exit } = await runHost('ask-at-terminal', ['plan', '{}', await listen(server)], lines);
    expect({ errors, exit }).toEqual({ errors: '', exit: 0 });
    expect(output).toMatch(/^Connected: modern\n\nPlan the release\.\n/);
    const wrong = TYPED.flatMap(([, complaint]) => complaint ?? []);
    expect(output.match(/(?<=: )(This|Type|Choose|"\w+" is)[^\n]+/g)).toEqual(wrong);
    expect(
      JSON.parse(
        output
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^.*\]: /, '') ?? '',
      ),
    ).toEqual(PLAN);
  });

  it.each([
    ['an empty line where something is needed', ['']],
    ['the word for it', ['Ada', '/decline']],
    ['the word that leaves it open', ['Ada', '/cancel']],
    ['the end of the input', ['Ada']],
  ])('gives no answer on %s', async (_what, lines) => {
    const { output, exit } = await runHost('ask-at-terminal', ['plan', '{}', await listen(server)], lines);
    expect(output).toMatch(/: null\n$/);
    expect(exit).toBe(0);
  });

  it('starts the server that a command names, and asks in several rounds', async () => {
    const where = [process.execPath, ...nodeArgs(STDIO), server];
    const { output, exit } = await runHost('ask-at-terminal', ['invite', '{}', ...where], ['Ada', 'yes']);
    expect(output).toContain('Connected: modern\n\nWho?\n');
    expect(output).toMatch(/\nAda, sure\?\n.*\n.*: \{"name":"Ada","sure":true\}\n$/);
    expect(exit).toBe(0);
  });
});

describe.each(SERVERS)('the host that answers later, on the server that is %s', (server) => {
  it('stores each ask, and goes on from the file in a new process', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pending-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'ask.json');
    const url = await listen(server);

    const first = await runHost('ask-later', ['call', file, 'invite', '{}', url]);
    expect(first).toMatchObject({ exit: 0, errors: '' });
    expect(JSON.parse(first.output)).toMatchObject({ who: { params: { message: 'Who?' } } });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      method: 'tools/call',
      params: { name: 'invite' },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const accept = (key: string, content: object) => JSON.stringify({ [key]: { action: 'accept', content } });
    const second = await runHost('ask-later', ['answer', file, accept('who', { name: 'Ada' }), url]);
    expect(second).toMatchObject({ exit: 0, errors: '' });
    expect(JSON.parse(second.output)).toMatchObject({ sure: { params: { message: 'Ada, sure?' } } });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ requestState: expect.any(String) });

    const third = await runHost('ask-later', ['answer', file, accept('sure', { sure: true }), url]);
    expect(third).toMatchObject({ exit: 0, errors: '', output: '{"name":"Ada","sure":true}\n' });
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
