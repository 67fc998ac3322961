import { describe, expect, it } from 'vitest';
import { readDoctorFlags } from '../../packages/shim/src/command/doctor/doctor-flags.ts';
import { FlagError } from '../../packages/shim/src/command/flag-error.ts';

const URL_ = 'https://mcp.example.com/mcp';
const SERVER = 'a server must be one URL, or a command after --';
const PLACE = 'a server must be an http or https URL (a command comes after --)';
const NAMES = '--call, --arguments, --header, --require, --timeout, --json, --verbose, --help';
const TIME = '--timeout must be a duration such as 20s, 500ms, 2m or 1.5h, from 1ms to 600000ms';

describe('flags of the doctor that are not allowed', () => {
  it.each<[string[], string]>([
    [[], `${SERVER}, got neither`],
    [['--json'], `${SERVER}, got neither`],
    [['--'], `${SERVER}, got no command`],
    [['--', ''], `${SERVER}, got no command`],
    [[URL_, '--', 'node'], `${SERVER}, got both`],
    [[URL_, 'server.js'], `${SERVER}, got "server.js" as well`],
    [['server.js'], `${PLACE}, got "server.js"`],
    [['file:///etc/passwd'], `${PLACE}, got file:`],
    [
      ['https://ada:secret@mcp.example.com'],
      'a URL must have no user name or password (give --header instead), got one that has',
    ],
    [['--colour', URL_], `a flag must be one of ${NAMES}, got "--colour"`],
    [['-j', URL_], `a flag must be one of ${NAMES}, got "-j"`],
    [['--json', '--json', URL_], '--json must be given once, got it twice'],
    [['--json=yes', URL_], '--json must have no value, got "yes"'],
    [[URL_, '--call'], '--call must have a value, got none'],
    [['--call', '', URL_], '--call must be the name of a tool, got ""'],
    [['--arguments', '{}', URL_], '--arguments must be given with --call, got it alone'],
    [['--call', 'erase', '--arguments', '[1]', URL_], '--arguments must be a JSON object, got an array'],
    [['--call', 'erase', '--arguments', '{secret', URL_], '--arguments must be a JSON object, got other text'],
    [['--timeout', '0s', URL_], `${TIME}, got "0s"`],
    [['--timeout', '11m', URL_], `${TIME}, got "11m"`],
    [['--timeout', '10', URL_], `${TIME}, got "10"`],
    [['--require', '2026-07-28', URL_], '--require must be handshake, modern or both, got "2026-07-28"'],
    [['--require', '', URL_], '--require must be handshake, modern or both, got ""'],
    [['--require', 'modern', '--require', 'both', URL_], '--require must be given once, got it twice'],
    [['htps//mcp.example.com?key=secret'], `${PLACE}, got "htps//mcp.example.com?..."`],
    [[URL_, `${URL_}?key=secret`], `${SERVER}, got "${URL_}?..." as well`],
    [['--header', 'secret', URL_], "--header must be 'Name: value', got something else"],
    [['--header', 'X-Key: se\ncret', URL_], "--header must be 'Name: value', got something else"],
    [['--header', 'Host: secret', URL_], '--header must be one that the protocol leaves to you, got "Host"'],
    [
      ['--header', 'MCP-Session-Id: 1', URL_],
      '--header must be one that the protocol leaves to you, got "MCP-Session-Id"',
    ],
    [['--header', 'X-Key: 1', '--', 'node'], '--header must be given with a URL, got a command'],
  ])('%j', (args, message) => {
    expect(() => readDoctorFlags(args)).toThrow(new FlagError(message));
  });
});

describe('flags of the doctor that are allowed', () => {
  it('name a URL, wherever they stand', () => {
    const flags = ['--header', 'X-Key: a b ', '--header=Authorization: Bearer c', '--timeout', '2m', '--json'];
    const expected = {
      target: {
        kind: 'http',
        url: new URL(`${URL_}?key=1`),
        headers: [
          ['X-Key', 'a b'],
          ['Authorization', 'Bearer c'],
        ],
      },
      timeout: 120_000,
      isJson: true,
      isVerbose: false,
    };
    expect(readDoctorFlags([...flags, `${URL_}?key=1#part`])).toEqual(expected);
    expect(readDoctorFlags([`${URL_}?key=1`, ...flags])).toEqual(expected);
  });

  it('leave what comes after -- to the command, flags too', () => {
    expect(readDoctorFlags(['--call', 'erase', '--arguments', '{"n":1}', '--', 'node', '--json', '--', '-x'])).toEqual({
      target: { kind: 'stdio', command: 'node', args: ['--json', '--', '-x'] },
      call: { name: 'erase', arguments: { n: 1 } },
      timeout: 10_000,
      isJson: false,
      isVerbose: false,
    });
  });

  it.each(['handshake', 'modern', 'both'])('require what is to be served: %s', (era) => {
    expect(readDoctorFlags(['--require', era, URL_])).toMatchObject({ require: era });
  });

  it('ask for help, whatever else there is', () => {
    expect(readDoctorFlags(['--help'])).toBe('help');
    expect(readDoctorFlags(['-h'])).toBe('help');
  });
});
