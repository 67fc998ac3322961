import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { PACKAGE } from '../support/packed.ts';
import { CALL } from './sealing.ts';

const USAGE = `Usage: mcp-dual-era key        prints a fresh key for the requestState option \`keys\`
       mcp-dual-era size       says how many slots a pool of held calls needs: size --help
       mcp-dual-era doctor     opens a server on each era, and says what clients meet there: doctor --help
       mcp-dual-era --version  prints the version of this package
`;

const run = (...args: string[]) => runCommand(args);

describe('[Q5d] the command mcp-dual-era', () => {
  it('prints a key of 32 bytes, another one each time', () => {
    const [first, second] = [run('key'), run('key')];
    expect(first).toStrictEqual({ status: 0, stdout: expect.stringMatching(/^[A-Za-z0-9_-]{43}\n$/), stderr: '' });
    expect(second.status).toBe(0);
    expect(second.stdout).not.toBe(first.stdout);
    const keys = first.stdout.trim();
    expect(Buffer.from(keys, 'base64url')).toHaveLength(32);
    const codec = createRequestStateCodec({ keys });
    expect(codec.verify(codec.mint(1, CALL), CALL)).toBe(1);
  });

  it.each([[['keys']], [['']], [['key', 'extra']], [['key', '--json']], [['--version', 'key']], [['toString']]])(
    'says how it is used, exits with 2 and prints no key: %j',
    (args) => {
      expect(run(...args)).toStrictEqual({ status: 2, stdout: '', stderr: USAGE });
    },
  );

  it('says how it is used and exits with 0 where nothing is given', () => {
    expect(run()).toStrictEqual({ status: 0, stdout: '', stderr: USAGE });
  });

  it.each(['--help', '-h'])('prints how it is used: %s', (flag) => {
    expect(run(flag)).toStrictEqual({ status: 0, stdout: USAGE, stderr: '' });
  });

  it('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
    expect(run('--version')).toStrictEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});
