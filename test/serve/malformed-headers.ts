import {
  type Cell,
  type Changes,
  call,
  cell,
  echo,
  inSession,
  list,
  modernBody,
  plain,
  post,
} from './malformed-request.ts';

const header = (name: string, value: string | readonly string[] | undefined) => list({ headers: { [name]: value } });
const named = (value: string | readonly string[] | undefined) => echo({ headers: { 'mcp-name': value } });
const base64 = (text: string | Uint8Array): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const query = (args: object, headers: Changes['headers'] = {}) =>
  call('tools/call', { name: 'query', arguments: args }, { headers });

export const HEADERS: readonly Cell[] = [
  cell('no version', header('mcp-protocol-version', undefined), '400 json error -32020 id 1'),
  cell('the version of another revision', header('mcp-protocol-version', '2025-11-25'), '400 json error -32020 id 1'),
  cell('a version zzz over a claim', header('mcp-protocol-version', 'zzz'), '400 json error -32020 id 1'),
  cell(
    'a version zzz without a claim',
    inSession(plain('tools/list'), { 'mcp-protocol-version': 'zzz' }),
    '400 json error -32602 id 1',
  ),
  cell(
    'a version zzz without a claim or a session',
    post(JSON.stringify(plain('tools/list')), { 'mcp-protocol-version': 'zzz' }),
    '400 json error -32602 id 1',
  ),
  cell(
    'a version 1.0 without a claim',
    inSession(plain('tools/list'), { 'mcp-protocol-version': '1.0' }),
    '400 json error -32000 id null',
  ),
  cell(
    'a version of the future without a claim',
    inSession(plain('tools/list'), { 'mcp-protocol-version': '2099-01-01' }),
    '400 json error -32602 id 1',
  ),
  cell('an empty version over a claim', header('mcp-protocol-version', ''), '400 json error -32020 id 1'),
  cell('the version twice', header('mcp-protocol-version', ['2026-07-28', '2026-07-28']), '400 json error -32020 id 1'),
  cell('two versions', header('mcp-protocol-version', ['2026-07-28', '2025-11-25']), '400 json error -32020 id 1'),
  cell('blanks around the version', header('mcp-protocol-version', ' 2026-07-28\t'), '200 json result id 1'),
  cell('no method', header('mcp-method', undefined), '400 json error -32020 id 1'),
  cell('another method', header('mcp-method', 'tools/call'), '400 json error -32020 id 1'),
  cell('the method in capitals', header('mcp-method', 'TOOLS/LIST'), '400 json error -32020 id 1'),
  cell('the method twice', header('mcp-method', ['tools/list', 'tools/list']), '400 json error -32020 id 1'),
  cell('an empty method', header('mcp-method', ''), '400 json error -32020 id 1'),
  cell('the method in base64', header('mcp-method', base64('tools/list')), '400 json error -32020 id 1'),
  cell('no headers of MCP at all', post(modernBody('tools/list')), '400 json error -32020 id 1'),
  cell(
    'header names in capitals',
    post(modernBody('tools/list'), { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'MCP-METHOD': 'tools/list' }),
    '200 json result id 1',
  ),

  cell('no name', named(undefined), '400 json error -32020 id 1'),
  cell('another name', named('query'), '400 json error -32020 id 1'),
  cell('the name in capitals', named('ECHO'), '400 json error -32020 id 1'),
  cell('the name twice', named(['echo', 'echo']), '400 json error -32020 id 1'),
  cell('an empty name', named(''), '400 json error -32020 id 1'),
  cell('blanks around the name', named(' echo '), '200 json result id 1'),
  cell('the name in base64', named(base64('echo')), '200 json result id 1'),
  cell('another name in base64', named(base64('query')), '400 json error -32020 id 1'),
  cell('base64 without padding', named('=?base64?ZWNobw?='), '400 json error -32020 id 1'),
  cell('base64 with other letters', named('=?base64?ZW*obw==?='), '400 json error -32020 id 1'),
  cell('base64 with a blank', named('=?base64?ZWNo bw==?='), '400 json error -32020 id 1'),
  cell('base64 of nothing', named('=?base64??='), '400 json error -32020 id 1'),
  cell('base64 in capitals', named('=?BASE64?ZWNobw==?='), '400 json error -32020 id 1'),
  cell('base64 of what is not UTF-8', named(base64(Uint8Array.of(0xff, 0xfe))), '400 json error -32020 id 1'),
  cell('base64 with bits to spare', named('=?base64?ZWNobx==?='), '200 json result id 1'),
  cell('base64 that is not closed', named('=?base64?ZWNobw=='), '400 json error -32020 id 1'),
  cell(
    'a name beyond ASCII as it is',
    call('tools/call', { name: 'gr\xfcn', arguments: {} }),
    '400 json error -32020 id 1',
  ),
  cell(
    'a name beyond ASCII in base64',
    call('tools/call', { name: 'gr\u00fcn', arguments: {} }, { headers: { 'mcp-name': base64('gr\u00fcn') } }),
    '200 json error -32602 id 1',
  ),
  cell('a name over a method that has none', header('mcp-name', 'echo'), '200 json result id 1'),
  cell(
    'no name over a resource',
    call('resources/read', { uri: 'file:///cfg.json' }, { headers: { 'mcp-name': undefined } }),
    '400 json error -32020 id 1',
  ),
  cell(
    'another name over a resource',
    call('resources/read', { uri: 'file:///cfg.json' }, { headers: { 'mcp-name': 'file:///x' } }),
    '400 json error -32020 id 1',
  ),
  cell(
    'no name over a prompt',
    call('prompts/get', { name: 'brief' }, { headers: { 'mcp-name': undefined } }),
    '400 json error -32020 id 1',
  ),

  cell('an argument without its header', query({ region: 'eu' }), '400 json error -32020 id 1'),
  cell('an argument under its header', query({ region: 'eu' }, { 'mcp-param-region': 'eu' }), '200 json result id 1'),
  cell(
    'an argument under another value',
    query({ region: 'eu' }, { 'mcp-param-region': 'us' }),
    '400 json error -32020 id 1',
  ),
  cell(
    'an argument under its header in capitals',
    query({ region: 'eu' }, { 'MCP-PARAM-REGION': 'eu' }),
    '200 json result id 1',
  ),
  cell(
    'an argument under its header twice',
    query({ region: 'eu' }, { 'mcp-param-region': ['eu', 'eu'] }),
    '400 json error -32020 id 1',
  ),
  cell(
    'an argument in base64',
    query({ region: 's\u00fcd' }, { 'mcp-param-region': base64('s\u00fcd') }),
    '200 json result id 1',
  ),
  cell(
    'an argument in broken base64',
    query({ region: 'eu' }, { 'mcp-param-region': '=?base64?ZX?=' }),
    '400 json error -32020 id 1',
  ),
  cell('a header for an argument that is not there', query({}, { 'mcp-param-region': 'eu' }), '200 json isError id 1'),
  cell(
    'a header for an argument that is null',
    query({ region: null }, { 'mcp-param-region': 'eu' }),
    '200 json isError id 1',
  ),
  cell(
    'an integer as another number',
    query({ region: 'eu', limit: 42 }, { 'mcp-param-region': 'eu', 'mcp-param-limit': '42.0' }),
    '200 json result id 1',
  ),
  cell(
    'an integer as a word',
    query({ region: 'eu', limit: 42 }, { 'mcp-param-region': 'eu', 'mcp-param-limit': 'many' }),
    '400 json error -32020 id 1',
  ),
  cell(
    'an integer without its header',
    query({ region: 'eu', limit: 42 }, { 'mcp-param-region': 'eu' }),
    '400 json error -32020 id 1',
  ),
  cell(
    'a header for an argument nobody knows',
    query({ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-x': '1' }),
    '200 json result id 1',
  ),

  cell('a session id nobody gave, over a claim', header('mcp-session-id', 'nobody'), '200 json result id 1'),
  cell('a last event id over a claim', header('last-event-id', '7'), '200 json result id 1'),
  cell('no session id without a claim', post(JSON.stringify(plain('tools/list'))), '200 sse result id 1'),
  cell(
    'a session id nobody gave, without a claim',
    post(JSON.stringify(plain('tools/list')), { 'mcp-session-id': 'nobody' }),
    '200 sse result id 1',
  ),
];
