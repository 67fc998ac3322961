import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../packages/shim/src/command/doctor/secrets.ts';
import type { Target } from '../../packages/shim/src/command/doctor/step.ts';
import { nameOf, teller } from '../../packages/shim/src/command/doctor/tell.ts';

const HTTP: Target = {
  kind: 'http',
  url: new URL('https://mcp.example.com/mcp?api=query-secret'),
  headers: [
    ['Authorization', 'Bearer header-secret'],
    ['X-Flag', 'yes'],
  ],
};
const withHeader = (value: string, search = ''): Target => ({
  kind: 'http',
  url: new URL(`https://mcp.example.com/mcp${search}`),
  headers: [['X-Key', value]],
});

describe('what a server said', () => {
  const tell = teller(HTTP, {});

  it.each([
    ['on\none\r\nline\u2028', 'on one line'],
    ['\u001b[2J\u001b]0;title\u0007no control', '[2J ]0;title no control'],
    ['\u202eturned\u2066 \u200bhidden\ufeff', 'turned hidden'],
    ['half a \ud800 letter', 'half a letter'],
    ['Bearer header-secret, header-secret, query-secret', '***, ***, ***'],
    ['yes is no secret, nor is a Bearer token', 'yes is no secret, nor is a Bearer token'],
    ['x'.repeat(201), `${'x'.repeat(200)}...`],
    ['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(200)],
    [`${'x'.repeat(195)}header-secret`, `${'x'.repeat(195)}***`],
    [{ an: 'object' }, 'an object'],
    [undefined, 'undefined'],
    [new Error('its message'), 'its message'],
    [new Error('its message', { cause: new Error('why') }), 'its message'],
    [new TypeError('fetch failed', { cause: new Error('other side closed') }), 'fetch failed: other side closed'],
    [new AggregateError([new Error('no ::1'), new Error('no 127.0.0.1')]), 'no ::1, no 127.0.0.1'],
  ])('is told in words fit to be printed, case %#', (said, told) => {
    expect(tell(said)).toBe(told);
  });
});

describe('a secret', () => {
  const SECRET = 'a/b "c"&d\u00e9';
  it.each([
    ['as it is', SECRET],
    ['as in a URL', encodeURIComponent(SECRET)],
    ['as in a URL, in small letters', encodeURIComponent(SECRET).toLowerCase()],
    ['as in a form', new URLSearchParams({ key: SECRET }).toString().slice('key='.length)],
    ['as in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['as in JSON that is for a page', 'a\\/b\\u0020\\u0022c\\u0022\\u0026d\\u00e9'],
    ['as in HTML', 'a/b &quot;c&#34;&amp;d&#xe9;'],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 after one letter', Buffer.from(`x${SECRET}yz`).toString('base64')],
    ['as base64 after two letters', Buffer.from(`xy${SECRET}z`).toString('base64')],
    ['as base64 for URLs', Buffer.from(`\u00ff\u00ff${SECRET}`).toString('base64url')],
    ['as hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ])('is not told %s', (_how, written) => {
    expect(teller(withHeader(SECRET), {})(`[${written}] is wrong`)).toBe('[***] is wrong');
  });

  it.each([
    ['abc', 'key=abc, abcd', 'key=***, abcd'],
    ['ab', 'ab', 'ab'],
    ['true', 'true', 'true'],
    ['443', 'port 443', 'port 443'],
    ['4711', 'pin4711', 'pin***'],
    ['Basic YWRhOnB3LTE=', 'ada has no pw-1, YWRhOnB3LTE=', 'ada has no ***, ***'],
    ['team=blue; id="k-77"', 'blue, k-77', '***, ***'],
  ])('is told or not by how it looks: %s', (value, said, told) => {
    expect(teller(withHeader(value), {})(said)).toBe(told);
  });

  it('may be long, and not be told in part where what was said is cut', () => {
    const secret = 'k1'.repeat(1_000);
    const tell = teller(withHeader(secret), {});
    expect(tell(`at ${secret} all`)).toBe('at *** all');
    // What nobody sees, and 92 letters of it before the end of what is looked at.
    expect(tell(`${`${secret} `.repeat(3)}${'\u200b'.repeat(2_097)}${secret}`)).toBe('*** *** ***...');
    expect(tell(`${'\u200b'.repeat(8_100)}${secret}`)).toBe('...');
  });

  it('in the query may have no name, and in the path looks like one', () => {
    const url = new URL('https://mcp.example.com/s/a1b2c3d4e5f6a7b8c9/mcp?sesame');
    const target: Target = { kind: 'http', url, headers: [] };
    expect(teller(target, {})('a1b2c3d4e5f6a7b8c9 and sesame')).toBe('*** and ***');
    expect(nameOf(target)).toBe('https://mcp.example.com/s/***/mcp?...');
  });

  it.each<[string[], string, string]>([
    [['--token', 'abc1', '--port', '3000'], 'abc1 on 3000', '*** on 3000'],
    [['--api-key=abc1', 'server.js'], 'abc1, server.js', '***, server.js'],
    [['-c', 'DB_PASSWORD=abc1 node server.js'], 'abc1, node server.js', '***, node server.js'],
    [['mcp-remote', '--header', 'X-Key: abc1'], 'mcp-remote: abc1', 'mcp-remote: ***'],
    [['https://ada:pw-1@example.com/?key=k-2'], 'ada, pw-1, k-2', 'ada, ***, ***'],
    [['postgres://ada:p%21w@localhost/db'], 'p!w on localhost/db', '*** on localhost/db'],
    [['sk-a1b2c3d4e5f6a7b8c9'], 'sk-a1b2c3d4e5f6a7b8c9', '***'],
    [
      ['-y', '@modelcontextprotocol/server-everything@2025.11.25', './dist/server.js', 'model-3-5-large-20241022'],
      '@modelcontextprotocol/server-everything@2025.11.25 ./dist/server.js model-3-5-large-20241022',
      '@modelcontextprotocol/server-everything@2025.11.25 ./dist/server.js model-3-5-large-20241022',
    ],
  ])('among the arguments of a command is not told: %j', (args, said, told) => {
    expect(teller({ kind: 'stdio', command: 'node', args }, {})(said)).toBe(told);
  });

  it('in the environment is known by its name, or as a password in a URL', () => {
    const env = {
      API_KEY: 'abc1',
      dbPassword: 'abc2',
      URL: 'redis://:abc3@host',
      PWD: '/work',
      LANG: 'en_US',
      TERM: '',
    };
    const tell = teller({ kind: 'stdio', command: '/usr/bin/node', args: [] }, env);
    expect(tell('abc1 abc2 abc3 /work en_US host')).toBe('*** *** *** /work en_US host');
    // A server over HTTP was not given it.
    expect(teller(HTTP, env)('abc1')).toBe('abc1');
  });

  it('is one of 200 at most, so that a mask takes bounded time: the longest', () => {
    const env = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`KEY_${n}`, `k${'a'.repeat(n + 3)}`]));
    const secrets = secretsOf({ kind: 'stdio', command: 'node', args: [] }, env);
    expect([secrets.length, secrets[0]?.length, secrets.at(-1)?.length]).toEqual([200, 303, 104]);
  });
});

it('a command is named without its arguments', () => {
  expect(nameOf({ kind: 'stdio', command: '/usr/bin/node', args: ['--token', 'abc'] })).toBe('node');
});
